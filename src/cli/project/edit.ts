import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import { clearedIn, EDITING_OPTIONS, settingsIn } from './settings.ts';

export const PROJECT_EDIT: CommandSpec = {
  summary:
    'change settings of a project; a project declared in guildhall.yaml is changed there instead',
  arguments: [{ usage: '<project>', about: 'name of the project' }],
  options: EDITING_OPTIONS,
  examples: [
    'guildhall project edit shop --max-workers 5',
    'guildhall project edit shop --merge-policy on-approval --approver reviewer',
  ],
  run: async ({ client, out, cwd }, input) => {
    const body = { ...settingsIn(input, cwd), ...clearedIn(input) };
    if (Object.keys(body).length === 0) {
      throw new InvalidUsage('give a setting to change, such as --max-workers 5');
    }
    const path = { name: input.argument(0) };
    const project = await client().call('changeProject', { path, body });
    out.answer(project, ({ name }) => `changed ${visible(name)}`);
  },
};
