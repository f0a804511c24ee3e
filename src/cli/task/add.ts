import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import type { Asked } from '../../api/operation.ts';
import type { Cli, CommandSpec } from '../command.ts';
import { type Given, given } from '../given.ts';
import { WrongUse } from '../wrong-use.ts';

type Body = Asked<'postTasks'>['body'];

export const TASK_ADD: CommandSpec = {
  path: 'task add',
  summary: 'put a task on the board, or several at once from a file',
  asks: 'hall',
  arguments: [{ usage: '[title]', about: 'what is to be done, in one line' }],
  options: [
    {
      flags: '-p, --project <project>',
      about: 'whose task it is; not needed where there is one project',
    },
    {
      flags: '-b, --body <text>',
      about: 'what the agent has to know; "-" reads it from the input',
    },
    { flags: '--skill <skill>', about: 'what kind of work it is (default: implement)' },
    { flags: '--type <type>', about: 'the type of agent that may take it' },
    { flags: '--agent <agent>', about: 'the agent that may take it' },
    { flags: '-l, --label <label>', about: 'a label of its thread', many: true },
    { flags: '-s, --size <size>', about: 'XS, S, M, L or XL' },
    {
      flags: '--depends-on <task>',
      about: 'a task or thread that must be done before',
      many: true,
    },
    { flags: '--parent <task>', about: 'the task it is a part of' },
    {
      flags: '--file <file>',
      about: 'tasks in YAML or JSON, all of them or none; "-" is the input',
    },
  ],
  examples: [
    'guildhall task add "Show prices with tax" --project shop --size S',
    'guildhall task add "Explain the tax" --depends-on t-12 --label frontend',
    'guildhall task add --file tasks.yaml',
    'cat issue.md | guildhall task add "Fix the bill" --body -',
  ],
  run: async (cli, input) => {
    const body =
      input.text('file') === undefined ? await oneTask(cli, input) : await batch(cli, input);
    const posted = await cli.client().call('postTasks', { body });
    cli.out.answer(posted, ({ tasks }) =>
      tasks.map(({ id, state }) => `${id} is ${state}`).join('\n'),
    );
    const [first] = posted.tasks;
    if (first) cli.out.say(cli.out.colours.dim(`next: guildhall task why ${first.id}`));
  },
};

async function oneTask(cli: Cli, input: Given): Promise<Body> {
  const title = input.maybe(0);
  if (title === undefined) throw new WrongUse('say what is to be done, or name a --file');
  const text = input.text('body');
  return {
    project: input.text('project') ?? (await onlyProject(cli)),
    title,
    ...given({
      body: text === '-' ? readFileSync(0, 'utf8') : text,
      skill: input.text('skill'),
      type: input.text('type'),
      agent: input.text('agent'),
      labels: input.list('label')?.slice(),
      size: input.text('size'),
      depends_on: input.list('dependsOn')?.slice(),
      parent: input.text('parent'),
    }),
  };
}

async function onlyProject({ client }: Cli): Promise<string> {
  const { projects } = await client().call('listProjects');
  const [only, ...others] = projects.map(({ name }) => name);
  if (only !== undefined && others.length === 0) return only;
  const known =
    projects.length === 0 ? 'there is none yet' : `there are ${[only, ...others].join(', ')}`;
  throw new WrongUse(`say whose task it is with --project; ${known}`);
}

/** What the tasks may hold is the hall's to check: it tells every mistake with its place in the list. */
async function batch(cli: Cli, input: Given): Promise<Body> {
  if (input.maybe(0) !== undefined) throw new WrongUse('give a title or a --file, not both');
  const file = input.text('file') ?? '-';
  const value = read(file, cli.cwd);
  const tasks = Array.isArray(value) ? value : listIn(value);
  if (!tasks) throw new WrongUse(`${file} must hold a list of tasks, or one under the key tasks`);
  const some = tasks.filter((task) => typeof task === 'object' && task !== null);
  const lacks = some.some((task) => !('project' in task));
  const project = input.text('project') ?? (lacks ? await onlyProject(cli) : undefined);
  return tasks.map((task) => (project === undefined ? task : { project, ...task }));
}

function listIn(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('tasks' in value && Array.isArray(value.tasks)) return value.tasks;
  return 'title' in value ? [value] : undefined;
}

/** JSON is YAML too. */
function read(file: string, cwd: string): unknown {
  try {
    return parse(readFileSync(file === '-' ? 0 : resolve(cwd, file), 'utf8'), {
      prettyErrors: true,
    });
  } catch (error) {
    throw new WrongUse(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
