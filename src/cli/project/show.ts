import { stringify } from 'yaml';
import { visibleLines } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';

export const PROJECT_SHOW: CommandSpec = {
  path: 'project show',
  summary: 'show one project with all its settings',
  uses: 'hall',
  arguments: [{ usage: '<project>', about: 'name of the project' }],
  examples: ['guildhall project show shop'],
  run: async ({ client, out }, input) => {
    const project = await client().call('getProject', { path: { name: input.argument(0) } });
    out.answer(project, (shown) => visibleLines(stringify(shown).trimEnd()));
  },
};
