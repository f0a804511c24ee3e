import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, connect, expect } from '../drivers/connection.ts';
import { type HallWorker, type Held, joinAll } from '../drivers/hall-worker.ts';
import type { Lab } from '../lab.ts';
import { type HallProcess, startHall } from '../servers/hall.ts';
import { prepareStore } from '../store/prepare.ts';
import { instanceOf, postedTask, slotsFor } from '../store/workload.ts';
import type { Exact } from './exactness.ts';

const NODES = 3;
const WORKERS = 8;
const TASKS = 20_000;

/** How long the load continues after the kill: longer than any acceptable takeover. */
const AFTER_KILL = 12_000;

interface Observed {
  /** When claims were answered, in milliseconds. */
  readonly answeredAt: number[];
  readonly ended: string[];
  readonly claimed: Set<string>;
  twice: number;
}

/** Three nodes on one database; the leader is killed while workers use the other nodes. */
export async function takeover(
  lab: Lab,
  store: string,
): Promise<Exact & { readonly seconds: number }> {
  await using stack = new AsyncDisposableStack();
  const [leader, ...others] = await startNodes(lab, stack, store);
  const [second] = others;
  if (!leader || !second) throw new Error('not enough nodes started');
  const operator = connect('lean', second);
  stack.defer(() => operator.close());
  await fill(operator);
  const observed: Observed = { answeredAt: [], ended: [], claimed: new Set(), twice: 0 };
  const stopped = { yet: false };
  const workers = await Promise.all(
    others.map((node) => joinAll(node, WORKERS / others.length, instanceOf, null)),
  );
  const load = Promise.all(workers.flat().map((worker) => work(worker, observed, stopped)));
  await pause(lab.options.sizes.beforeKill * 1000);
  await leader.kill();
  await pause(AFTER_KILL);
  stopped.yet = true;
  await load;
  const fault = await lost(operator, observed);
  const seconds = longestGap(observed.answeredAt) / 1000;
  lab.progress.say(`  longest time without an answered claim: ${seconds.toFixed(2)} s`);
  return { seconds, fault, seen: `${observed.ended.length} reports acknowledged` };
}

/** The first to start is the leader. The operator's token is valid on all of them, as behind one name. */
async function startNodes(
  lab: Lab,
  stack: AsyncDisposableStack,
  store: string,
): Promise<readonly HallProcess[]> {
  const nodes: HallProcess[] = [];
  const token = randomBytes(32).toString('base64url');
  for (let n = 0; n < NODES; n += 1) {
    const folder = await lab.room();
    await mkdir(join(folder, 'data'), { recursive: true });
    await writeFile(join(folder, 'data/token'), `${token}\n`, { mode: 0o600 });
    if (n === 0) await prepareStore(folder, store);
    const node = await startHall({ folder, store, slots: slotsFor(WORKERS) });
    stack.defer(() => node.kill());
    nodes.push(node);
  }
  return nodes;
}

async function fill(operator: Connection): Promise<void> {
  for (let at = 0; at < TASKS; at += 1_000) {
    const some = Array.from({ length: 1_000 }, (_, n) => postedTask(at + n));
    await expect(operator, 'POST', '/v1/tasks', some);
  }
}

/** Continues after refusals and lost responses, like a worker. */
async function work(
  worker: HallWorker,
  observed: Observed,
  stopped: { readonly yet: boolean },
): Promise<void> {
  while (!stopped.yet) {
    const run = await worker.claim().catch(() => undefined);
    if (!run) {
      await pause(20);
      continue;
    }
    observed.answeredAt.push(performance.now());
    if (observed.claimed.has(run.run) && observed.ended.includes(run.run)) observed.twice += 1;
    observed.claimed.add(run.run);
    await reportUntilHeard(worker, run, observed, stopped);
  }
}

async function reportUntilHeard(
  worker: HallWorker,
  run: Held,
  observed: Observed,
  stopped: { readonly yet: boolean },
): Promise<void> {
  for (let tries = 0; !stopped.yet && tries < 1_000; tries += 1) {
    const result = await worker.report(run, false).then(
      () => 'ended',
      (fault: Error) => (fault.message.includes('409') ? 'stale' : 'again'),
    );
    if (result === 'ended') observed.ended.push(run.run);
    if (result !== 'again') return;
    await pause(20);
  }
}

function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let longest = 0;
  for (const [n, at] of sorted.entries()) longest = Math.max(longest, at - (sorted[n - 1] ?? at));
  return longest;
}

async function lost(operator: Connection, { ended, twice }: Observed): Promise<string | undefined> {
  if (twice > 0) return `${twice} runs were handed out after they had ended`;
  for (const id of ended) {
    const { ending } = await expect<{ readonly ending: { readonly how: string } | null }>(
      operator,
      'GET',
      `/v1/runs/${id}`,
    );
    if (ending?.how !== 'completed')
      return `run ${id} was reported, but its ending is ${ending?.how}`;
  }
  return undefined;
}
