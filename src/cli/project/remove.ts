import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';

export const PROJECT_REMOVE: CommandSpec = {
  summary: 'remove a project that has no open tasks',
  arguments: [{ usage: '<project>', about: 'name of the project' }],
  examples: ['guildhall project remove shop'],
  run: async ({ client, out }, input) => {
    const name = input.argument(0);
    await client().call('removeProject', { path: { name } });
    out.answer({ name, removed: true }, () => `removed ${visible(name)}`);
  },
};
