import type { Cli, CommandSpec } from '../command.ts';
import { type ListPage, MORE_HINT, PAGE_OPTIONS, readPages, reportPartialList } from '../pages.ts';
import { type ParsedInput, parseInput } from '../parsed-input.ts';
import { TASK_COLUMNS, type Task } from './columns.ts';

export const TASK_LIST: CommandSpec = {
  path: 'task list',
  summary: 'list tasks, newest first',
  uses: 'hall',
  arguments: [{ usage: '[words...]', about: 'only tasks whose title contains this text' }],
  options: [
    { flags: '-p, --project <project>', about: 'only this project' },
    {
      flags: '--state <state>',
      about: 'only this state, such as available or failed',
      many: true,
    },
    { flags: '--type <type>', about: 'only tasks for this agent type' },
    ...PAGE_OPTIONS,
  ],
  examples: [
    'guildhall task list',
    'guildhall task list --state failed --state rejected',
    'guildhall task list tax --project shop --json',
  ],
  run: async (cli, input) => {
    const listed = await find(cli, input);
    const { rows: tasks, next } = listed;
    cli.out.answer({ tasks, next }, () =>
      cli.out.table(
        TASK_COLUMNS,
        tasks,
        `no tasks; post one with: ${cli.command('task add', '"…"')}`,
      ),
    );
    reportPartialList(listed, cli.out, MORE_HINT);
  },
};

function find({ client }: Cli, input: ParsedInput): Promise<ListPage<Task>> {
  const filter = parseInput({
    project: input.text('project'),
    state: input.list('state')?.join(','),
    type: input.text('type'),
    text: input.rest(0).join(' ') || undefined,
  });
  return readPages(input, async (page) => {
    const { tasks, next } = await client().call('listTasks', { query: { ...filter, ...page } });
    return { rows: tasks, next };
  });
}
