import { RULE_VERDICTS } from '../../domain/tool-policy/verdict.ts';
import type { OptionSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import { type ParsedInput, parseInput } from '../parsed-input.ts';

/** The options that describe a rule. */
export const RULE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--verdict <verdict>',
    about: 'verdict on a matching command',
    choices: RULE_VERDICTS,
  },
  {
    flags: '--program <pattern>',
    about: 'program name: a glob, or a regular expression after re:',
  },
  { flags: '--command <pattern>', about: 'program with its arguments' },
  { flags: '--flag <pattern>', about: 'an option it must have', many: true },
  { flags: '--path <pattern>', about: 'a file it reads or writes' },
  { flags: '--expires <time>', about: 'when the rule expires, such as 2026-12-01T00:00:00Z' },
  { flags: '--note <text>', about: 'explanation for the agent and other operators' },
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
  const details = parseInput({ expires: input.text('expires'), note: input.text('note') });
  return { verdict: verdict as (typeof RULE_VERDICTS)[number], project, match, ...details };
}
