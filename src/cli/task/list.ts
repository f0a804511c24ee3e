import type { Cli, CommandSpec } from '../command.ts';
import { type ListPage, MORE_HINT, PAGE_OPTIONS, readPages, reportPartialList } from '../pages.ts';
import { type ParsedInput, parseInput } from '../parsed-input.ts';
import { TASK_COLUMNS, type Task } from './columns.ts';
import { reportIndexLag, type SearchReach } from './index-lag.ts';

export const TASK_LIST: CommandSpec = {
  summary: 'list tasks, newest first',
  arguments: [
    {
      usage: '[words...]',
      about:
        'only tasks with all these words in title, text or branch; the last may be a beginning',
    },
  ],
  options: [
    { flags: '-p, --project <project>', about: 'only this project' },
    {
      flags: '--state <state>',
      about: 'only this state, such as available or failed',
      many: true,
    },
    { flags: '--type <type>', about: 'only tasks for this agent type' },
    { flags: '--branch <branch>', about: 'only tasks whose work is on this branch' },
    {
      flags: '--link <url>',
      about: 'only tasks of this issue or pull request, or with this URL in title or text',
    },
    ...PAGE_OPTIONS,
  ],
  examples: [
    'guildhall task list',
    'guildhall task list --state failed --state rejected',
    'guildhall task list prices with tax --project shop --json',
    'guildhall task list --branch hall/dev/issue-12',
    'guildhall task list --link https://forge.example/acme/shop/issues/12',
  ],
  run: async (cli, input) => {
    const { listed, search } = await find(cli, input);
    const { rows: tasks, next } = listed;
    cli.out.answer({ tasks, next, search }, () =>
      cli.out.table(
        TASK_COLUMNS,
        tasks,
        search ? 'no tasks found' : `no tasks; post one with: ${cli.command('task add', '"…"')}`,
      ),
    );
    reportPartialList(listed, cli.out, MORE_HINT);
    reportIndexLag(search, cli.out);
  },
};

interface Found {
  readonly listed: ListPage<Task>;
  readonly search: SearchReach;
}

async function find({ client }: Cli, input: ParsedInput): Promise<Found> {
  const filter = parseInput({
    project: input.text('project'),
    state: input.list('state')?.join(','),
    type: input.text('type'),
    text: input.rest(0).join(' ') || undefined,
    branch: input.text('branch'),
    link: input.text('link'),
  });
  let reach: SearchReach = null;
  const listed = await readPages(input, async (page) => {
    const answer = await client().call('listTasks', { query: { ...filter, ...page } });
    reach = answer.search;
    return { rows: answer.tasks, next: answer.next };
  });
  return { listed, search: reach };
}
