import type { Cli, CommandSpec } from '../command.ts';
import { type Given, given } from '../given.ts';
import { TASK_COLUMNS, type Task } from './columns.ts';

const PAGE = 50;

export const TASK_LIST: CommandSpec = {
  path: 'task list',
  summary: 'find tasks, newest first',
  asks: 'hall',
  arguments: [{ usage: '[words...]', about: 'part of the title' }],
  options: [
    { flags: '--project <project>', about: 'only of this project' },
    {
      flags: '--state <state>',
      about: 'only in this state, such as available or failed',
      many: true,
    },
    { flags: '--type <type>', about: 'only for this type of agent' },
    { flags: '-n, --limit <count>', about: `how many at most (default: ${PAGE})` },
    { flags: '-a, --all', about: 'all there are' },
  ],
  examples: [
    'guildhall task list',
    'guildhall task list --state failed --state rejected',
    'guildhall task list tax --project shop --json',
  ],
  run: async (cli, input) => {
    const tasks = await find(cli, input);
    cli.out.answer({ tasks }, (shown) =>
      cli.out.table(TASK_COLUMNS, shown.tasks, 'no tasks; post one with "guildhall task add"'),
    );
  },
};

async function find({ client }: Cli, input: Given): Promise<readonly Task[]> {
  const most = input.flag('all') ? Number.POSITIVE_INFINITY : (input.number('limit') ?? PAGE);
  const filter = given({
    project: input.text('project'),
    state: input.list('state')?.join(','),
    type: input.text('type'),
    text: input.rest(0).join(' ') || undefined,
  });
  const found: Task[] = [];
  let after: string | undefined;
  do {
    const limit = Math.min(200, most - found.length);
    const query = { ...filter, limit, ...given({ after }) };
    const { tasks, next } = await client().call('listTasks', { query });
    found.push(...tasks);
    after = next ?? undefined;
  } while (after !== undefined && found.length < most);
  return found;
}
