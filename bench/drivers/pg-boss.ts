import pg from 'pg';
import type {
  Blocked,
  CycleOptions,
  Driver,
  EnqueueOptions,
  FillOptions,
  Place,
} from './driver.ts';
import { loadPeer } from './load-peer.ts';
import { payload, payloads } from './payload.ts';
import { Arrivals, measurePickups } from './pickups.ts';
import { Loops, Tally, timed } from './tally.ts';

/** The parts of pg-boss that are used. */
interface Boss {
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  on(event: 'error', listener: (fault: Error) => void): void;
  createQueue(name: string, options?: object): Promise<void>;
  send(name: string, payload: object): Promise<string | null>;
  insert(name: string, jobs: readonly object[]): Promise<unknown>;
  flow(jobs: readonly object[]): Promise<unknown>;
  fetch(name: string, options?: object): Promise<readonly { readonly id: string }[]>;
  complete(name: string, id: string): Promise<unknown>;
  work(name: string, options: object, act: () => Promise<void>): Promise<string>;
  offWork(name: string, options?: object): Promise<void>;
}

const QUEUE = 'work';
const BATCH = 1_000;

/** Slots of the full project; other groups may have as many as there are workers. */
const FULL = 4;
const LIMITS = { groupConcurrency: { default: 10_000, tiers: { small: FULL } } };

/** Fetches and completes in the given number of loops, which is its fastest way for one job at a time. */
export async function openPgBoss({ url }: Place): Promise<Driver> {
  const { PgBoss } = await loadPeer<{ PgBoss: new (options: object) => Boss }>('pg-boss');
  const boss = new PgBoss({
    connectionString: url,
    max: 32,
    schedule: false,
    useListenNotify: true,
  });
  boss.on('error', (fault) => console.error(`pg-boss: ${fault.message}`));
  await boss.start();
  // Without notifications: they serialise the commits, and these loops never sleep.
  await boss.createQueue(QUEUE);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  let filled = 0;
  let run: { readonly loops: Loops; readonly tally: Tally } | undefined;

  return {
    async fill(options) {
      await fill(boss, options, filled);
      filled += options.count;
    },
    async tidy() {
      await pool.query('VACUUM (ANALYZE)');
      await pool.query('CHECKPOINT');
    },
    waiting: () => count(pool),
    async begin(options) {
      run = cycle(boss, options);
    },
    sample: async () => (run?.tally ?? new Tally()).sample(),
    async end() {
      await run?.loops.end();
      return (run?.tally ?? new Tally()).ended();
    },
    enqueue: (options) => enqueue(boss, options),
    pickup: (options) => pickup(boss, options.samples, options.workers),
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

async function fill(boss: Boss, { count: total, blocked }: FillOptions, from: number) {
  for (let at = 0; at < total; at += BATCH) {
    const some = payloads(from + at, Math.min(BATCH, total - at));
    if (blocked === 'dependency') await fillDependents(boss, some);
    else
      await boss.insert(
        QUEUE,
        some.map((data) => ({ data, ...groupFor(blocked) })),
      );
  }
  if (blocked) await hold(boss, blocked);
}

function groupFor(blocked: Blocked | undefined): object {
  return blocked === 'capacity' ? { group: { id: 'full', tier: 'small' } } : {};
}

/** Each batch waits for one job, which is fetched and held. */
async function fillDependents(boss: Boss, some: readonly object[]): Promise<void> {
  await boss.flow([
    { ref: 'gate', name: QUEUE, data: { title: 'gate' }, options: { priority: 1 } },
    ...some.map((data, n) => ({ ref: `n${n}`, name: QUEUE, data, dependsOn: ['gate'] })),
  ]);
  await boss.fetch(QUEUE, { batchSize: 1 });
}

/** Occupies every slot of the full project. */
async function hold(boss: Boss, blocked: Blocked): Promise<void> {
  if (blocked !== 'capacity') return;
  for (let slot = 0; slot < FULL; slot += 1) await boss.fetch(QUEUE, { batchSize: 1, ...LIMITS });
}

function cycle(boss: Boss, { inFlight, behind }: CycleOptions) {
  const tally = new Tally();
  const options = behind === 'capacity' ? { batchSize: 1, ...LIMITS } : { batchSize: 1 };
  const loops = new Loops(inFlight, async () => {
    const [job] = await boss.fetch(QUEUE, options);
    if (!job) {
      tally.failed();
      return;
    }
    tally.claimed(job.id);
    await boss.complete(QUEUE, job.id);
    tally.completed();
  });
  return { tally, loops };
}

async function enqueue(boss: Boss, { count: total, clients, batch }: EnqueueOptions) {
  const milliseconds = await timed(Math.ceil(total / batch), clients, (n) =>
    batch === 1
      ? boss.send(QUEUE, payload(n))
      : boss.insert(
          QUEUE,
          payloads(n * batch, batch).map((data) => ({ data })),
        ),
  );
  return { count: total, milliseconds };
}

async function pickup(boss: Boss, samples: number, workers: number): Promise<readonly number[]> {
  const arrivals = new Arrivals();
  await boss.createQueue('pickup', { notify: true });
  await boss.work('pickup', { localConcurrency: workers, batchSize: 1 }, async () =>
    arrivals.now(),
  );
  const taken = await measurePickups(samples, arrivals, (n) => boss.send('pickup', payload(n)));
  await boss.offWork('pickup');
  return taken;
}

async function count(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    `SELECT count(*) AS n FROM pgboss.job WHERE name = $1 AND state < 'active' AND NOT blocked AND group_id IS DISTINCT FROM 'full'`,
    [QUEUE],
  );
  return Number(rows[0]?.n);
}
