import { visible } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import type { Cli, CommandSpec } from '../command.ts';
import { parseInput } from '../parsed-input.ts';
import { DECISION_COLUMNS } from './columns.ts';
import { RULE_OPTIONS, ruleFromOptions } from './rule-options.ts';

export const RULES_TEST: CommandSpec = {
  summary: 'show how a command would be decided, or what a rule would have matched',
  arguments: [{ usage: '[command]', about: 'the command as an agent would run it' }],
  options: [
    { flags: '-p, --project <project>', about: 'test in this project' },
    { flags: '--since <time>', about: 'match logged commands from this time on' },
    ...RULE_OPTIONS,
  ],
  examples: [
    "guildhall rules test 'npm ci && npm test' --project shop",
    "guildhall rules test 'terraform plan' --verdict accept --program terraform",
    "guildhall rules test --verdict deny --program 'docker*'",
  ],
  run: async (cli, input) => {
    const project = input.text('project');
    const hasRule = input.text('verdict') !== undefined;
    const body = parseInput({
      command: input.maybe(0),
      project,
      since: input.text('since'),
      rule: hasRule ? ruleFromOptions(input, project ?? null) : undefined,
    });
    const tested = await cli.client().call('testRules', { body });
    cli.out.answer(tested, () => resultText(cli, tested));
  },
};

function resultText(
  { out }: Cli,
  { verdict, tree, matched }: OperationResult<'testRules'>,
): string {
  const lines = tree.map((line) => `  ${visible(line)}`);
  if (verdict) {
    const part = verdict.part === null ? '' : `${visible(verdict.part)}: `;
    lines.push(`${verdict.verdict} (${verdict.rule}): ${part}${visible(verdict.because)}`);
  }
  if (matched) {
    lines.push(`the rule matches ${matched.count} of the last ${matched.examined} commands`);
    if (matched.count > 0) lines.push(out.table(DECISION_COLUMNS, matched.decisions, ''));
  }
  return lines.join('\n');
}
