import type { CycleOptions, Driver, EnqueueOptions, Place } from './driver.ts';
import { loadPeer } from './load-peer.ts';
import { payload, payloads } from './payload.ts';
import { Arrivals, measurePickups } from './pickups.ts';
import { Tally, timed } from './tally.ts';

/** The parts of BullMQ that are used. */
interface Bull {
  readonly Queue: new (name: string, options: object) => Queue;
  readonly Worker: new (name: string, act: () => Promise<void>, options: object) => Worker;
}

interface Queue {
  add(name: string, payload: object): Promise<unknown>;
  addBulk(jobs: readonly object[]): Promise<unknown>;
  getWaitingCount(): Promise<number>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

interface Worker {
  on(event: 'active' | 'completed', listener: (job: { readonly id: string }) => void): void;
  on(event: 'error', listener: (fault: Error) => void): void;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

const BATCH = 1_000;

/** BullMQ's own worker, which completes a job and fetches the next in one call to Redis. */
export async function openBullmq({ url }: Place): Promise<Driver> {
  const bull = await loadPeer<Bull>('bullmq');
  const { hostname: host, port } = new URL(url);
  const connection = { host, port: Number(port), maxRetriesPerRequest: null };
  const queue = new bull.Queue('work', { connection });
  await queue.waitUntilReady();
  let filled = 0;
  let run: { readonly tally: Tally; readonly worker: Worker } | undefined;

  return {
    async fill({ count }) {
      for (let at = 0; at < count; at += BATCH) {
        const some = payloads(filled + at, Math.min(BATCH, count - at));
        await queue.addBulk(some.map((data) => ({ name: 'work', data })));
      }
      filled += count;
    },
    tidy: async () => undefined,
    waiting: () => queue.getWaitingCount(),
    async begin(options) {
      run = cycle(bull, connection, options);
    },
    sample: async () => (run?.tally ?? new Tally()).sample(),
    async end() {
      await run?.worker.close();
      return (run?.tally ?? new Tally()).ended();
    },
    enqueue: (options) => enqueue(queue, options),
    pickup: (options) => pickup(bull, connection, options),
    close: () => queue.close(),
  };
}

function cycle({ Worker }: Bull, connection: object, { inFlight }: CycleOptions) {
  const tally = new Tally();
  const worker = new Worker('work', async () => undefined, { connection, concurrency: inFlight });
  worker.on('active', ({ id }) => tally.claimed(id));
  worker.on('completed', () => tally.completed());
  worker.on('error', (fault) => console.error(`bullmq: ${fault.message}`));
  return { tally, worker };
}

async function enqueue(queue: Queue, { count: total, clients, batch }: EnqueueOptions) {
  const milliseconds = await timed(Math.ceil(total / batch), clients, (n) =>
    batch === 1
      ? queue.add('work', payload(n))
      : queue.addBulk(payloads(n * batch, batch).map((data) => ({ name: 'work', data }))),
  );
  return { count: total, milliseconds };
}

async function pickup(
  { Queue, Worker }: Bull,
  connection: object,
  { samples, workers }: { readonly samples: number; readonly workers: number },
): Promise<readonly number[]> {
  const arrivals = new Arrivals();
  const queue = new Queue('pickup', { connection });
  const act = async () => arrivals.now();
  const idle = new Worker('pickup', act, { connection, concurrency: workers });
  idle.on('error', (fault) => console.error(`bullmq: ${fault.message}`));
  await idle.waitUntilReady();
  const taken = await measurePickups(samples, arrivals, (n) => queue.add('pickup', payload(n)));
  await idle.close();
  await queue.close();
  return taken;
}
