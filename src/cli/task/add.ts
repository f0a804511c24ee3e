import { visible } from '../../api/escape-control-characters.ts';
import type { OperationInput } from '../../api/operation.ts';
import { ProblemReceived } from '../../api/problem-received.ts';
import type { Cli, CommandSpec } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import { type ParsedInput, parseInput } from '../parsed-input.ts';
import { ProblemInFile } from '../problem-in-file.ts';
import type { TaskFile } from './task-file.ts';

type Body = OperationInput<'postTasks'>['body'];

export const TASK_ADD: CommandSpec = {
  summary: 'post a task on the board, or several from a file',
  arguments: [{ usage: '[title]', about: 'what to do, in one line' }],
  options: [
    {
      flags: '-p, --project <project>',
      about: 'project of the task; optional if there is only one',
    },
    {
      flags: '-b, --body <text>',
      about: 'details for the agent; "-" reads standard input',
    },
    { flags: '--skill <skill>', about: 'kind of work (default: implement)' },
    { flags: '--type <type>', about: 'agent type that may claim it' },
    { flags: '--agent <agent>', about: 'instance, persona or type that it is for' },
    { flags: '-l, --label <label>', about: 'label of its thread', many: true },
    { flags: '-s, --size <size>', about: 'XS, S, M, L or XL' },
    {
      flags: '--depends-on <task>',
      about: 'task or thread that must be done first',
      many: true,
    },
    { flags: '--parent <task>', about: 'task that it is a part of' },
    {
      flags: '--file <file>',
      about:
        'post the tasks of this YAML or JSON file, all or none; "-" reads standard input; other options are defaults for each task',
    },
  ],
  examples: [
    'guildhall task add "Show prices with tax" --project shop --size S',
    'guildhall task add "Explain the tax" --depends-on t-12 --label frontend',
    'guildhall task add --file tasks.yaml --project shop --label frontend',
    'cat issue.md | guildhall task add "Fix the bill" --body -',
  ],
  run: async (cli, input) => {
    const { body, source } = await requestFrom(cli, input);
    const posted = await post(cli, body, source);
    const titles = [body].flat().map(({ title }) => title);
    cli.out.answer(posted, ({ tasks }) =>
      tasks
        .map(({ id, state }, at) => `${id} is ${state}: ${visible(titles[at] ?? '')}`)
        .join('\n'),
    );
    for (const { path, message } of posted.warnings)
      cli.out.warn(visible(`${path}: ${cli.localized(message)}`));
    const [first] = posted.tasks;
    if (first) cli.out.say(cli.out.colours.dim(`next: ${cli.command('task why', first.id)}`));
    if (await isFirstPost(cli, posted.tasks.length)) cli.out.say(cli.out.colours.dim(ID_NOTE));
  },
};

const ID_NOTE = 'an id is the number of an event in the log, so ids have gaps';

/** Whether the hall has no tasks but those that were just posted. */
async function isFirstPost({ client, out }: Cli, posted: number): Promise<boolean> {
  if (out.json || posted > FEW) return false;
  const { tasks } = await client().call('listTasks', { query: { limit: posted + 1 } });
  return tasks.length === posted;
}

const FEW = 20;

interface Request {
  readonly body: Body;
  /** The file that the tasks come from. */
  readonly source?: TaskFile;
}

async function post({ client }: Cli, body: Body, source: TaskFile | undefined) {
  try {
    return await client().call('postTasks', { body });
  } catch (error) {
    if (!source || !(error instanceof ProblemReceived) || error.mistakes.length === 0) throw error;
    throw new ProblemInFile(source, { cause: error });
  }
}

async function requestFrom(cli: Cli, input: ParsedInput): Promise<Request> {
  const title = input.maybe(0);
  const file = input.text('file');
  if (title !== undefined && file !== undefined) {
    throw new InvalidUsage('give a title or a --file, not both');
  }
  if (file === '-' && input.text('body') === '-') {
    throw new InvalidUsage(
      'standard input can be read only once: use "-" for --file or for --body',
    );
  }
  if (file !== undefined) return batch(cli, file, await fieldsIn(input));
  if (title === undefined) throw new InvalidUsage('give a title or a --file');
  const { project = await onlyProject(cli), ...fields } = await fieldsIn(input);
  return { body: { project, title, ...fields } };
}

async function fieldsIn(input: ParsedInput) {
  return parseInput({
    project: input.text('project'),
    body: await input.textOrInput('body'),
    skill: input.text('skill'),
    type: input.text('type'),
    agent: input.text('agent'),
    labels: input.list('label')?.slice(),
    size: input.text('size'),
    depends_on: input.list('dependsOn')?.slice(),
    parent: input.text('parent'),
  });
}

/** Options beside the file are defaults for its tasks. */
async function batch(
  cli: Cli,
  file: string,
  fields: Awaited<ReturnType<typeof fieldsIn>>,
): Promise<Request> {
  const { readTaskFile } = await import('./task-file.ts');
  const source = await readTaskFile(file, cli);
  const tasks = source.tasks.map((task) => ({ ...fields, ...task }));
  if (tasks.every((task) => 'project' in task)) return { body: tasks as Body, source };
  const project = await onlyProject(cli);
  return { body: tasks.map((task) => ({ project, ...task })) as Body, source };
}

async function onlyProject({ client, command }: Cli): Promise<string> {
  const { projects } = await client().call('listProjects');
  const [only, ...others] = projects.map(({ name }) => name);
  if (only === undefined) {
    throw new InvalidUsage(
      `there is no project yet; add one with: ${command('project add', 'NAME')}`,
    );
  }
  if (others.length === 0) return only;
  throw new InvalidUsage(`name the project with --project: ${[only, ...others].join(', ')}`);
}
