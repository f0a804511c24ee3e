import type { CommandSpec } from '../command.ts';
import { parseInput } from '../parsed-input.ts';
import { RULE_COLUMNS } from './columns.ts';

export const RULES_LIST: CommandSpec = {
  summary: 'list rules for agent commands, without the built-in ones',
  options: [{ flags: '-p, --project <project>', about: 'only rules that apply in this project' }],
  examples: ['guildhall rules list', 'guildhall rules list --project shop --json'],
  run: async ({ client, out }, input) => {
    const query = parseInput({ project: input.text('project') });
    out.answer(await client().call('listRules', { query }), ({ rules }) =>
      out.table(RULE_COLUMNS, rules, 'no rules; the built-in rules apply'),
    );
  },
};
