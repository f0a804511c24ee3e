import { setTimeout as pause } from 'node:timers/promises';
import { openOurs } from '../cells/contenders.ts';
import { type Connection, connect, expect } from '../drivers/connection.ts';
import { type HallWorker, type Held, joinAll } from '../drivers/hall-worker.ts';
import type { Lab, Ours } from '../lab.ts';
import { startHall } from '../servers/hall.ts';
import { instanceOf, postedTask } from '../store/workload.ts';
import type { Exact } from './exactness.ts';

const WORKERS = 8;
const POSTERS = 4;

/** What the hall has acknowledged. */
interface Promised {
  readonly posted: string[];
  readonly ended: string[];
  /** The last claim of each worker that it has not reported. */
  readonly held: Map<number, Held>;
}

/** Kills a hall under load and looks for everything that it had acknowledged. */
export async function killUnderLoad(lab: Lab): Promise<Exact> {
  await using stack = new AsyncDisposableStack();
  const ours = await openOurs(lab, stack, { inFlight: WORKERS });
  await ours.driver.fill({ count: 2_000 });
  const promised: Promised = { posted: [], ended: [], held: new Map() };
  const stopped = { yet: false };
  const load = await startLoad(ours, promised, stopped);
  await pause(lab.options.sizes.beforeKill * 1000);
  await ours.hall.kill();
  stopped.yet = true;
  await load.done;
  const hall = await startHall({ folder: ours.folder, store: ours.store, slots: ours.slots });
  stack.defer(() => hall.stop());
  const operator = connect('lean', { url: hall.url, token: hall.token });
  const fault = await missing(operator, promised);
  operator.close();
  const { posted, ended, held } = promised;
  const seen = `${posted.length} posts, ${ended.length} reports and ${held.size} claims acknowledged`;
  return { fault, seen };
}

async function startLoad(
  { hall }: Ours,
  promised: Promised,
  stopped: { readonly yet: boolean },
): Promise<{ readonly done: Promise<unknown> }> {
  const place = { url: hall.url, token: hall.token };
  const workers = await joinAll(place, WORKERS, instanceOf, null);
  const posters = Array.from({ length: POSTERS }, () => connect('lean', place));
  const done = Promise.allSettled([
    ...workers.map((worker, n) => work(worker, n, promised, stopped)),
    ...posters.map((poster) => post(poster, promised, stopped)),
  ]);
  return { done };
}

async function work(
  worker: HallWorker,
  n: number,
  { ended, held }: Promised,
  stopped: { readonly yet: boolean },
): Promise<void> {
  let run = await worker.claim();
  while (!stopped.yet) {
    if (!run) {
      run = await worker.claim();
      continue;
    }
    held.set(n, run);
    const next = await worker.report(run, true);
    ended.push(run.run);
    held.delete(n);
    run = next;
  }
}

async function post(
  poster: Connection,
  { posted }: Promised,
  stopped: { readonly yet: boolean },
): Promise<void> {
  for (let n = 0; !stopped.yet; n += 1) {
    const made = await expect<{ tasks: readonly { readonly id: string }[] }>(
      poster,
      'POST',
      '/v1/tasks',
      postedTask(n),
    );
    for (const { id } of made.tasks) posted.push(id);
  }
}

interface RunView {
  readonly ending: { readonly how: string } | null;
}

/** An acknowledged claim may have been reported since without an answer, but it must exist. */
async function missing(
  operator: Connection,
  { posted, ended, held }: Promised,
): Promise<string | undefined> {
  for (const id of posted) {
    const { status } = await operator.ask('GET', `/v1/tasks/${id}`);
    if (status !== 200) return `task ${id} was acknowledged, but reading it returned ${status}`;
  }
  for (const id of ended) {
    const { ending } = await expect<RunView>(operator, 'GET', `/v1/runs/${id}`);
    if (ending?.how !== 'completed')
      return `run ${id} was reported, but its ending is ${ending?.how}`;
  }
  for (const { run } of held.values()) {
    const { status } = await operator.ask('GET', `/v1/runs/${run}`);
    if (status !== 200) return `run ${run} was claimed, but reading it returned ${status}`;
  }
  return undefined;
}
