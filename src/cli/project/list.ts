import type { CommandSpec } from '../command.ts';
import { PROJECT_COLUMNS } from './columns.ts';

export const PROJECT_LIST: CommandSpec = {
  summary: 'list projects with their waiting and running tasks',
  examples: ['guildhall project list', 'guildhall project list --json'],
  run: async ({ client, out, command }) => {
    const empty = `no projects; add one with: ${command('project add', 'NAME')} (or under projects: in guildhall.yaml)`;
    out.answer(await client().call('listProjects'), ({ projects }) =>
      out.table(PROJECT_COLUMNS, projects, empty),
    );
  },
};
