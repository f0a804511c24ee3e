import type { CommandSpec } from '../command.ts';

export const RULES_REMOVE: CommandSpec = {
  summary: 'remove a rule',
  arguments: [{ usage: '<rule>', about: 'the rule, such as ru-12' }],
  examples: ['guildhall rules remove ru-12'],
  run: async ({ client, out }, input) => {
    const id = input.argument(0);
    await client().call('removeRule', { path: { id } });
    out.answer({ removed: id }, () => `removed ${id}`);
  },
};
