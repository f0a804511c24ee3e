import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';
import { ADDING_OPTIONS, settingsIn } from './settings.ts';

export const PROJECT_ADD: CommandSpec = {
  summary: 'add a project',
  arguments: [{ usage: '<name>', about: 'name of the project' }],
  options: ADDING_OPTIONS,
  examples: [
    'guildhall project add shop --repo github:acme/shop',
    'guildhall project add site --repo file:../site --max-workers 5',
    'guildhall project add shop --repo github:acme/shop --source github-issues=ready',
  ],
  run: async ({ client, out, command, cwd }, input) => {
    const body = { name: input.argument(0), ...settingsIn(input, cwd) };
    const project = await client().call('addProject', { body });
    out.answer(project, ({ name }) => `added ${visible(name)}`);
    out.say(`next: ${command('task add', '"…"', '--project', visible(project.name))}`);
  },
};
