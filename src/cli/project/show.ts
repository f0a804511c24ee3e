import { visibleLines } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';

export const PROJECT_SHOW: CommandSpec = {
  summary: 'show one project with all its settings',
  arguments: [{ usage: '<project>', about: 'name of the project' }],
  examples: ['guildhall project show shop'],
  run: async ({ client, out }, input) => {
    const project = await client().call('getProject', { path: { name: input.argument(0) } });
    const { stringify } = await import('yaml');
    out.answer(project, (shown) => visibleLines(stringify(shown).trimEnd()));
  },
};
