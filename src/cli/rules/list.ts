import type { CommandSpec } from '../command.ts';
import { parseInput } from '../parsed-input.ts';
import { RULE_COLUMNS } from './columns.ts';

export const RULES_LIST: CommandSpec = {
  path: 'rules list',
  summary: 'rules about commands of agents, beside those built in',
  asks: 'hall',
  options: [{ flags: '-p, --project <project>', about: 'those that hold in this project' }],
  examples: ['guildhall rules list', 'guildhall rules list --project shop --json'],
  run: async ({ client, out }, input) => {
    const query = parseInput({ project: input.text('project') });
    out.answer(await client().call('listRules', { query }), ({ rules }) =>
      out.table(RULE_COLUMNS, rules, 'no rules; what is built in decides'),
    );
  },
};
