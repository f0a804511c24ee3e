import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { CycleOptions, Driver, EnqueueOptions, FillOptions, Place } from './driver.ts';
import { loadPeer } from './load-peer.ts';
import { payload, payloads } from './payload.ts';
import { Arrivals, measurePickups } from './pickups.ts';
import { Tally, timed } from './tally.ts';

/** The parts of graphile-worker that are used. */
interface Graphile {
  readonly Logger: new (factory: () => () => void) => object;
  makeWorkerUtils(options: object): Promise<Board>;
  runTaskList(options: object, tasks: Tasks, pool: pg.Pool): Pool;
}

interface Board {
  migrate(): Promise<void>;
  addJob(task: string, payload: object, spec?: object): Promise<unknown>;
  addJobs(jobs: readonly object[]): Promise<unknown>;
  release(): Promise<void>;
}

interface Pool {
  gracefulShutdown(): Promise<void>;
}

type Tasks = Readonly<Record<string, (payload: unknown) => Promise<void>>>;

interface Completed {
  readonly job: { readonly id: string };
}

const BATCH = 1_000;

export async function openGraphile({ url, prefetch }: Place): Promise<Driver> {
  const graphile = await loadPeer<Graphile>('graphile-worker');
  const pool = new pg.Pool({ connectionString: url, max: 40 });
  const complain = (fault: Error) => console.error(`graphile-worker: ${fault.message}`);
  pool.on('error', complain);
  pool.on('connect', (client) => client.on('error', complain));
  const logger = new graphile.Logger(() => () => undefined);
  const board = await graphile.makeWorkerUtils({ pgPool: pool, logger });
  await board.migrate();
  const start = createStart(graphile, { pool, logger, prefetch });
  const held = createHold(start);
  let filled = 0;
  let run: { readonly tally: Tally; readonly workers: Pool } | undefined;

  return {
    async fill(options) {
      if (options.blocked) await held.take(board);
      await fill(board, options, filled);
      filled += options.count;
    },
    async tidy() {
      await pool.query('VACUUM (ANALYZE)');
      await pool.query('CHECKPOINT');
    },
    waiting: () => count(pool),
    async begin(options) {
      run = cycle(start, options);
    },
    sample: async () => (run?.tally ?? new Tally()).sample(),
    async end() {
      await run?.workers.gracefulShutdown();
      return (run?.tally ?? new Tally()).ended();
    },
    enqueue: (options) => enqueue(board, options),
    pickup: (options) => pickup(board, start, options),
    async close() {
      await held.release();
      await board.release();
      await pool.end();
    },
  };
}

type Start = (concurrency: number, tasks: Tasks, events?: EventEmitter) => Pool;

function createStart(
  { runTaskList }: Graphile,
  { pool, logger, prefetch }: { pool: pg.Pool; logger: object; prefetch: number | undefined },
): Start {
  const batching = prefetch && { localQueue: { size: prefetch }, completeJobBatchDelay: 0 };
  return (concurrency, tasks, events = new EventEmitter()) => {
    const worker = { concurrentJobs: concurrency, maxPoolSize: 40, ...batching };
    const options = { concurrency, noHandleSignals: true, logger, events, preset: { worker } };
    return runTaskList(options, tasks, pool);
  };
}

/** Its named queues run one job at a time: while one is held, all others of that queue are blocked. */
function createHold(start: Start) {
  let workers: Pool | undefined;
  let release: () => void = () => undefined;
  return {
    async take(board: Board): Promise<void> {
      if (workers) return;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await new Promise<void>((taken, fault) => {
        const hold = () => {
          taken();
          return held;
        };
        workers = start(1, { hold });
        board.addJob('hold', {}, { queueName: 'full' }).catch(fault);
      });
    },
    async release(): Promise<void> {
      release();
      await workers?.gracefulShutdown();
    },
  };
}

async function fill(board: Board, { count: total, blocked }: FillOptions, from: number) {
  for (let at = 0; at < total; at += BATCH) {
    const some = payloads(from + at, Math.min(BATCH, total - at));
    const queue = blocked ? { queueName: 'full' } : {};
    await board.addJobs(some.map((data) => ({ identifier: 'work', payload: data, ...queue })));
  }
}

function cycle(start: Start, { inFlight }: CycleOptions) {
  const tally = new Tally();
  const events = new EventEmitter();
  events.on('job:start', ({ job }: Completed) => tally.claimed(job.id));
  events.on('job:complete', () => tally.completed());
  return { tally, workers: start(inFlight, { work: async () => undefined }, events) };
}

async function enqueue(board: Board, { count: total, clients, batch }: EnqueueOptions) {
  const milliseconds = await timed(Math.ceil(total / batch), clients, (n) =>
    batch === 1
      ? board.addJob('work', payload(n))
      : board.addJobs(
          payloads(n * batch, batch).map((data) => ({ identifier: 'work', payload: data })),
        ),
  );
  return { count: total, milliseconds };
}

async function pickup(
  board: Board,
  start: Start,
  { samples, workers }: { readonly samples: number; readonly workers: number },
): Promise<readonly number[]> {
  const arrivals = new Arrivals();
  const idle = start(workers, { pickup: async () => arrivals.now() });
  await pause(LISTENING);
  const taken = await measurePickups(samples, arrivals, (n) => board.addJob('pickup', payload(n)));
  await idle.gracefulShutdown();
  return taken;
}

/** It does not report when its connection for notifications is ready. */
const LISTENING = 500;

async function count(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    `SELECT count(*) AS n FROM graphile_worker._private_jobs
     WHERE is_available AND job_queue_id IS NULL`,
  );
  return Number(rows[0]?.n);
}
