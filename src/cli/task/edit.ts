import type { CommandSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import { parseInput } from '../parsed-input.ts';
import { TASK_ARGUMENT } from './columns.ts';

export const TASK_EDIT: CommandSpec = {
  path: 'task edit',
  summary: 'change what a waiting task says or asks for',
  asks: 'hall',
  arguments: [TASK_ARGUMENT],
  options: [
    { flags: '--title <title>', about: 'what is to be done' },
    {
      flags: '-b, --body <text>',
      about: 'what the agent has to know; "-" reads it from the input',
    },
    { flags: '-l, --label <label>', about: 'the labels it has from now on', many: true },
    { flags: '--no-labels', about: 'it has no labels' },
    { flags: '-s, --size <size>', about: 'XS, S, M, L or XL' },
    { flags: '--type <type>', about: 'the type of agent that may take it' },
    { flags: '--agent <agent>', about: 'the agent that may take it' },
    { flags: '--depends-on <task>', about: 'what must be done before, from now on', many: true },
    { flags: '--no-depends', about: 'it waits for nothing' },
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
      throw new InvalidUsage('say what to change, such as --size L');
    const edited = await client().call('editTask', { path: { id: input.argument(0) }, body });
    out.answer(edited, ({ id, state }) => `${id} is changed; it is ${state}`);
  },
};
