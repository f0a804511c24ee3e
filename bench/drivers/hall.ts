import {
  FULL_PROJECT,
  FULL_SLOTS,
  GENERALISTS,
  IDLE,
  instanceOf,
  type PostedTask,
  postedTask,
} from '../store/workload.ts';
import { type Connection, connect, expect } from './connection.ts';
import type {
  Blocked,
  CycleOptions,
  Driver,
  EnqueueOptions,
  FillOptions,
  Place,
} from './driver.ts';
import { type HallWorker, joinAll } from './hall-worker.ts';
import { Arrivals, measurePickups } from './pickups.ts';
import { Loops, Tally, timed } from './tally.ts';

const BATCH = 1_000;

/** Long enough that a waiting worker never repeats its claim within one reading. */
const LONG_POLL_SECONDS = 50;

interface Run {
  readonly tally: Tally;
  readonly loops: Loops;
  readonly workers: readonly HallWorker[];
}

export async function openHallDriver(place: Place): Promise<Driver> {
  const { url, token = '', client = 'lean', keyed = false } = place;
  const open = () => connect(client, { url, token, keyed });
  const operator = open();
  let filled = 0;
  let run: Run | undefined;

  return {
    async fill(options) {
      await fill(operator, place, options, filled);
      filled += options.count;
    },
    tidy: async () => undefined,
    waiting: () => count(operator),
    async begin(options) {
      run = await cycle(place, options);
    },
    sample: async () => (run?.tally ?? new Tally()).sample(),
    async end() {
      await run?.loops.end();
      for (const worker of run?.workers ?? []) await worker.leave();
      return (run?.tally ?? new Tally()).ended();
    },
    async enqueue(options) {
      const connections = Array.from({ length: options.clients }, open);
      const taken = await enqueue(connections, options, filled);
      filled += options.count;
      for (const connection of connections) connection.close();
      return taken;
    },
    pickup: (options) => pickup(operator, place, options.samples, options.workers),
    close: async () => operator.close(),
  };
}

async function fill(
  operator: Connection,
  place: Place,
  { count: total, blocked }: FillOptions,
  from: number,
): Promise<void> {
  const blocker = blocked === 'dependency' ? await postGate(operator) : undefined;
  for (let at = 0; at < total; at += BATCH) {
    const some = tasks(from + at, Math.min(BATCH, total - at));
    const posted = some.map((task, n) => ({
      ...task,
      ...blockedBy(blocked, blocker?.[n % blocker.length]),
    }));
    await expect(operator, 'POST', '/v1/tasks', posted as unknown as object);
  }
  if (blocked === 'capacity') await holdSlots(place);
}

function tasks(from: number, count: number): readonly PostedTask[] {
  return Array.from({ length: count }, (_, n) => postedTask(from + n));
}

function blockedBy(blocked: Blocked | undefined, blocker: Gate | undefined): object {
  if (blocked === 'capacity') return { project: FULL_PROJECT, labels: [] };
  return blocker ? { project: blocker.project, depends_on: [blocker.id] } : {};
}

interface Gate {
  readonly id: string;
  readonly project: string;
}

/** A task of each project that is never claimed, because no worker has the instance that it requires. */
async function postGate(operator: Connection): Promise<readonly Gate[]> {
  const projects = [...new Set(tasks(0, 8).map(({ project }) => project))];
  const gates = projects.map((project) => ({ project, title: 'Gate', agent: IDLE }));
  const { tasks: made } = await expect<{ tasks: readonly { readonly id: string }[] }>(
    operator,
    'POST',
    '/v1/tasks',
    gates as unknown as object,
  );
  return made.map(({ id }, n) => ({ id, project: projects[n] ?? '' }));
}

/** Occupies every slot of the full project. */
async function holdSlots(place: Place): Promise<void> {
  const workers = await joinAll(place, FULL_SLOTS, () => GENERALISTS[0], [FULL_PROJECT]);
  for (const worker of workers) {
    if (!(await worker.claim())) throw new Error('could not occupy a slot of the full project');
  }
}

async function cycle(place: Place, { inFlight, fused, perSecond }: CycleOptions): Promise<Run> {
  const tally = new Tally();
  const workers = await joinAll(place, inFlight, instanceOf, null);
  const every = perSecond === undefined ? 0 : (inFlight * 1000) / perSecond;
  const step = fused ? stepFused : stepApart;
  const loops = new Loops(inFlight, async (n) => {
    const worker = workers[n];
    if (!worker) return;
    const from = performance.now();
    await step(worker, tally);
    const left = every - (performance.now() - from);
    if (left > 0) await new Promise((rest) => setTimeout(rest, left));
  });
  return { tally, loops, workers };
}

/** Two requests: claim, then report. */
async function stepApart(worker: HallWorker, tally: Tally): Promise<void> {
  const run = await worker.claim();
  if (run === undefined) {
    tally.failed();
    return;
  }
  tally.claimed(run.run);
  await worker.report(run, false);
  tally.completed();
}

/** One request: the report claims the next task. */
async function stepFused(worker: HallWorker, tally: Tally): Promise<void> {
  const run = worker.held ?? (await worker.claim());
  if (run === undefined) {
    tally.failed();
    return;
  }
  tally.claimed(run.run);
  worker.held = await worker.report(run, true);
  tally.completed();
}

async function enqueue(
  connections: readonly Connection[],
  { count: total, clients, batch }: EnqueueOptions,
  from: number,
) {
  const bodies = Array.from({ length: Math.ceil(total / batch) }, (_, n) =>
    JSON.stringify(batch === 1 ? postedTask(from + n) : tasks(from + n * batch, batch)),
  );
  const milliseconds = await timed(bodies.length, clients, async (n, client) => {
    const answer = await connections[client]?.ask('POST', '/v1/tasks', bodies[n]);
    if (answer?.status !== 201) throw new Error(`posting tasks returned ${JSON.stringify(answer)}`);
  });
  return { count: total, milliseconds };
}

async function pickup(
  operator: Connection,
  place: Place,
  samples: number,
  count: number,
): Promise<readonly number[]> {
  const arrivals = new Arrivals();
  const workers = await joinAll(place, count, () => GENERALISTS[0], null);
  const loops = new Loops(count, async (n) => {
    const run = await workers[n]?.claim(LONG_POLL_SECONDS);
    if (!run) return;
    arrivals.now();
    await workers[n]?.report(run, false);
  });
  const unlabelled = JSON.stringify({ ...postedTask(0), labels: [] });
  const taken = await measurePickups(samples, arrivals, () =>
    operator.ask('POST', '/v1/tasks', unlabelled),
  );
  loops.cease();
  for (const worker of workers) await worker.leave();
  await loops.end().catch(() => undefined);
  return taken;
}

interface BoardView {
  readonly projects: readonly {
    readonly name: string;
    readonly counts: Readonly<Record<string, number>>;
  }[];
}

/** Tasks of a full project do not count, because no worker could claim them. */
async function count(operator: Connection): Promise<number> {
  const { projects } = await expect<BoardView>(operator, 'GET', '/v1/board');
  let waiting = 0;
  for (const { name, counts } of projects) {
    if (name !== FULL_PROJECT) waiting += counts['available'] ?? 0;
  }
  return waiting;
}
