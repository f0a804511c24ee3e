import type { CommandSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import { parseInput } from '../parsed-input.ts';
import { TASK_ARGUMENT } from './columns.ts';

export const TASK_EDIT: CommandSpec = {
  summary: 'change a waiting task',
  arguments: [TASK_ARGUMENT],
  options: [
    { flags: '--title <title>', about: 'what to do, in one line' },
    {
      flags: '-b, --body <text>',
      about: 'details for the agent; "-" reads standard input',
    },
    { flags: '-l, --label <label>', about: 'label; replaces the current labels', many: true },
    { flags: '--no-labels', about: 'remove all labels' },
    { flags: '-s, --size <size>', about: 'XS, S, M, L or XL' },
    { flags: '--type <type>', about: 'agent type that may claim it' },
    { flags: '--agent <agent>', about: 'instance, persona or type that it is for' },
    {
      flags: '--depends-on <task>',
      about: 'task that must be done first; replaces the current dependencies',
      many: true,
    },
    { flags: '--no-depends', about: 'remove all dependencies' },
  ],
  examples: [
    'guildhall task edit t-12 --size L --label security',
    'guildhall task edit t-12 --no-depends',
    'cat issue.md | guildhall task edit t-12 --body -',
  ],
  run: async ({ client, out }, input) => {
    const body = parseInput({
      title: input.text('title'),
      body: await input.textOrInput('body'),
      labels: input.choice('labels') === false ? [] : input.list('label')?.slice(),
      size: input.text('size'),
      type: input.text('type'),
      agent: input.text('agent'),
      depends_on: input.choice('depends') === false ? [] : input.list('dependsOn')?.slice(),
    });
    if (Object.keys(body).length === 0)
      throw new InvalidUsage('give a setting to change, such as --size L');
    const edited = await client().call('editTask', { path: { id: input.argument(0) }, body });
    out.answer(edited, ({ id, state }) => `changed ${id}; it is ${state}`);
  },
};
