import type { Route } from '../../src/api/route.ts';
import { type OperationId, operationIds, ROUTES } from '../../src/api/routes.ts';
import { type Connection, expect } from '../drivers/connection.ts';
import { PROJECTS, SPECIALITY } from '../store/workload.ts';

export interface Query {
  readonly name: string;
  /** A different object each time, so that caching one response does not help. */
  readonly path: (n: number) => string;
  /** Made once: it takes as long as the whole history before it. */
  readonly isSlow?: true;
}

/** The objects of a hall to query. */
interface Names {
  readonly tasks: readonly string[];
  readonly threads: readonly string[];
  readonly runs: readonly string[];
  readonly seq: number;
}

/** An endless stream, not a query. */
const NOT_QUERIES: readonly OperationId[] = ['streamEvents'];

/** Every read-only operation of the API for operators, and the filters of the lists. */
export async function queriesOf(operator: Connection): Promise<readonly Query[]> {
  const names = await look(operator);
  const plain = operationIds().flatMap((operation): readonly Query[] => {
    const route: Route = ROUTES[operation];
    const isQuery = route.method === 'GET' && route.policy !== 'worker';
    if (!isQuery || NOT_QUERIES.includes(operation)) return [];
    const path = pathOf(route, names);
    return path ? [{ name: operation, path }] : [];
  });
  return [...plain, ...filtered(names)];
}

function pathOf({ path }: Route, names: Names): Query['path'] | undefined {
  if (!path.includes('{')) return () => path;
  const values = valuesFor(path, names);
  if (values.length === 0) return undefined;
  return (n) => path.replace(/\{\w+\}/, values[n % values.length] ?? '');
}

function valuesFor(path: string, { tasks, threads, runs }: Names): readonly string[] {
  if (path.startsWith('/v1/tasks/')) return tasks;
  if (path.startsWith('/v1/threads/')) return threads;
  if (path.startsWith('/v1/runs/')) return runs;
  if (path.startsWith('/v1/projects/')) return PROJECTS;
  if (path.startsWith('/v1/agents/')) return ['ada', 'bo'];
  return [];
}

function filtered({ tasks, seq }: Names): readonly Query[] {
  const project = (n: number) => PROJECTS[n % PROJECTS.length] ?? PROJECTS[0];
  const somewhere = (n: number) => Math.max(1, Math.floor((seq * ((n * 37) % 100)) / 100));
  const task = (n: number) => tasks[n % tasks.length] ?? '';
  return [
    { name: 'listTasks of a project', path: (n) => `/v1/tasks?project=${project(n)}` },
    { name: 'listTasks available', path: () => '/v1/tasks?state=available' },
    { name: 'listTasks completed', path: () => '/v1/tasks?state=completed' },
    { name: 'listTasks held', path: () => '/v1/tasks?state=claimed,running' },
    {
      name: 'listTasks failed of a project',
      path: (n) => `/v1/tasks?state=failed&project=${project(n)}`,
    },
    { name: 'listTasks by rare text', path: (n) => `/v1/tasks?text=line%20${somewhere(n)}` },
    { name: 'listTasks by absent text', path: () => `/v1/tasks?text=${SPECIALITY}` },
    { name: 'listTasks from the middle', path: (n) => `/v1/tasks?after=${task(n)}&limit=200` },
    {
      name: 'listEvents before any position',
      path: (n) => `/v1/events?before=${somewhere(n)}&limit=1000`,
    },
    { name: 'listEvents of a task', path: (n) => `/v1/events?task=${task(n)}` },
    { name: 'listEvents of a project', path: (n) => `/v1/events?project=${project(n)}` },
    {
      name: 'getBoard as it was a minute ago',
      path: () => `/v1/board?at=${new Date(Date.now() - 60_000).toISOString()}`,
      isSlow: true,
    },
    { name: 'listEvents of one type', path: () => '/v1/events?type=WorkerRegistered' },
  ];
}

async function look(operator: Connection): Promise<Names> {
  const { seq } = await expect<{ readonly seq: number }>(operator, 'GET', '/v1/board');
  const tasks: string[] = [];
  const threads: string[] = [];
  const runs: string[] = [];
  for (let part = 1; part <= 20; part += 1) {
    const before = Math.floor((seq * part) / 20);
    const { events } = await expect<{ readonly events: readonly Happening[] }>(
      operator,
      'GET',
      `/v1/events?before=${before}&limit=200`,
    );
    for (const { type, facts } of events) {
      if (type === 'TaskPosted') {
        tasks.push(String(facts.task));
        threads.push(String(facts.thread));
      }
      if (type === 'RunClaimed') runs.push(String(facts.run));
    }
  }
  return { tasks, threads, runs, seq };
}

interface Happening {
  readonly type: string;
  readonly facts: Readonly<Record<string, unknown>>;
}
