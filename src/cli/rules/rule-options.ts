import { RuleVerdict } from '../../api/tools.ts';
import type { OptionSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import { type ParsedInput, parseInput } from '../parsed-input.ts';

/** How a rule is typed. */
export const RULE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--verdict <verdict>',
    about: 'what becomes of a command that fits',
    choices: RuleVerdict.options,
  },
  { flags: '--program <pattern>', about: 'the program: a glob, or a regular expression after re:' },
  { flags: '--command <pattern>', about: 'the program with its arguments' },
  { flags: '--flag <pattern>', about: 'an option it has to have', many: true },
  { flags: '--path <pattern>', about: 'a file it reads or writes' },
  { flags: '--expires <time>', about: 'when the rule ends, such as 2026-12-01T00:00:00Z' },
  { flags: '--note <text>', about: 'what the agent is told, and other operators' },
];

export function ruleFromOptions(input: ParsedInput, project: string | null) {
  const verdict = input.text('verdict');
  if (verdict === undefined) throw new InvalidUsage('--verdict is missing: accept or deny');
  const match = parseInput({
    program: input.text('program'),
    command: input.text('command'),
    flags: input.list('flag') && [...(input.list('flag') ?? [])],
    path: input.text('path'),
  });
  const rest = parseInput({ expires: input.text('expires'), note: input.text('note') });
  return { verdict: verdict as (typeof RuleVerdict.options)[number], project, match, ...rest };
}
