import { setImmediate } from 'node:timers/promises';
import { createClock } from '../../src/adapters/system/clock.ts';
import { openClusteredHall } from '../../src/board/clustered-hall.ts';
import type { Change } from '../../src/board/command.ts';
import { type LeadingHall, openHall } from '../../src/board/hall.ts';
import type { Claimed } from '../../src/domain/claiming.ts';
import { decide } from '../../src/domain/decision.ts';
import type { WorkerId } from '../../src/domain/ids.ts';
import type { Lease } from '../../src/domain/lease.ts';
import { type Posting, post } from '../../src/domain/posting.ts';
import { isRefusal } from '../../src/domain/refusal.ts';
import { register } from '../../src/domain/registering.ts';
import { recordUsage, report, start } from '../../src/domain/reporting.ts';
import type { OpenStore } from '../../src/main/open-store.ts';
import { LeadershipLost } from '../../src/ports/store.ts';
import type { History } from '../sizes.ts';
import { declaration } from './declare.ts';
import { fillIndex } from './fill-index.ts';
import { instanceOf, instances, postedTask } from './workload.ts';

const META = { actor: 'bench', cause: 'generator' };
const BATCH = 1_000;

/** The number of runs that end in one commit, which makes groups of about four thousand events. */
const WORKERS = 256;

/** Events of a task that was posted and completed in one run: post, claim, start, end. */
const EVENTS_OF_RUN = 4;

/**
 * Fills a store with a history as a hall would have written it: through the product's own decisions
 * and store adapter, in big groups, without HTTP in the way.
 */
export async function generate(
  opened: OpenStore,
  { tasks, open, events }: History,
  progress: (tasks: number) => void = () => undefined,
): Promise<void> {
  const { leading, stop } = await openForWriting(opened);
  const closed = tasks - open;
  const left = events - open - EVENTS_OF_RUN * closed;
  const usagesEach = closed === 0 ? 0 : Math.max(0, Math.round(left / closed));
  const workers = closed === 0 ? [] : await registerAll(leading);
  for (let done = 0; done < closed; done += BATCH) {
    await postSome(leading, done, Math.min(BATCH, closed - done));
    await completeAll(leading, workers, usagesEach);
    progress(Math.min(closed, done + BATCH));
  }
  for (let done = closed; done < tasks; done += BATCH) {
    await postSome(leading, done, Math.min(BATCH, tasks - done));
    progress(Math.min(tasks, done + BATCH));
  }
  // One turn later the writer has no pending group, and only closing is left.
  await setImmediate();
  await stop();
  await fillIndex(opened.store);
}

/** Leads the hall without serving it: there are no requests and no chores meanwhile. */
async function openForWriting({ store, leadership }: OpenStore) {
  const clock = createClock();
  const needs = {
    store,
    clock,
    log: { info: nothing, warn: nothing, error: nothing },
    times: {
      lease: HOUR,
      tick: HOUR,
      keepAnswers: HOUR,
      keepLog: HOUR,
      keepDecisions: HOUR,
      approval: HOUR,
    },
    declaration,
    broken: (fault: Error) => {
      if (!(fault instanceof LeadershipLost)) throw fault;
    },
  };
  const hall = leadership
    ? await openClusteredHall({ ...needs, leadership, url: 'http://generator.invalid', pace: PACE })
    : await openHall(needs);
  const leading = hall.leading();
  if (!leading) throw new Error('the store has another writer');
  const pool = instances(clock.now()).map(
    (instance) => ({ type: 'InstanceSet', instance }) as const,
  );
  await leading.writer.change({ meta: META, decide: () => decide(true, pool) });
  return { leading, stop: () => hall.stop() };
}

const HOUR = 3_600_000;
const PACE = { heartbeat: 1_000, patience: 3_000 };

function nothing(): void {
  return;
}

async function postSome({ writer }: LeadingHall, from: number, count: number): Promise<void> {
  const postings = Array.from({ length: count }, (_, n) => posting(from + n));
  const outcome = await writer.change({
    meta: META,
    decide: (board, now, recalled) => post(board, recalled, postings, now),
  });
  if (isRefusal(outcome)) throw new Error(`the generator was refused: ${outcome.because}`);
}

function posting(n: number): Posting {
  return {
    ...postedTask(n),
    skill: 'implement',
    type: 'dev',
    agent: null,
    size: null,
    dependsOn: [],
    ref: null,
    parent: null,
  };
}

async function registerAll({ writer }: LeadingHall): Promise<readonly WorkerId[]> {
  return Promise.all(
    Array.from({ length: WORKERS }, async (_, n) => {
      const input = {
        instance: instanceOf(n),
        projects: null,
        bringsModel: true,
        tokenHash: `generator ${n}`,
        host: 'bench',
      };
      const id = await writer.change({
        meta: META,
        decide: (board, now) => register(board, input, now),
      });
      if (typeof id !== 'number') throw new Error('the generator could not register a worker');
      return id;
    }),
  );
}

/** Completes everything that is claimable, with all workers at once. */
async function completeAll(
  leading: LeadingHall,
  workers: readonly WorkerId[],
  usages: number,
): Promise<void> {
  await Promise.all(workers.map((worker) => work(leading, worker, usages)));
}

async function work({ writer }: LeadingHall, worker: WorkerId, usages: number): Promise<void> {
  const input = { meta: META, worker, wait: 0 };
  let claimed = await writer.claim(input).claimed;
  while (!isRefusal(claimed)) {
    const lease: Lease = { run: claimed.run, fence: claimed.fence, worker };
    const steps = [writer.change({ meta: META, decide: (board) => start(board, lease) })];
    for (let n = 1; n <= usages; n += 1) steps.push(writer.change(usage(lease, n)));
    const { changed, next } = writer.changeThenClaim(ended(lease), input);
    await Promise.all([...steps, changed]);
    claimed = (await next()?.claimed) ?? refusedReport(claimed);
  }
}

function refusedReport({ run }: Claimed): never {
  throw new Error(`the generator could not end run ${run}`);
}

function usage(lease: Lease, n: number): ReturnType<typeof usageChange> {
  return usageChange(lease, {
    inputTokens: 900 * n,
    outputTokens: 80 * n,
    turns: n,
    costUsd: n / 100,
  });
}

function usageChange(lease: Lease, used: Parameters<typeof recordUsage>[2]) {
  return {
    meta: META,
    decide: (board: Parameters<typeof recordUsage>[0]) => recordUsage(board, lease, used),
  };
}

function ended(lease: Lease): Change<number> {
  return {
    meta: META,
    decide: (board, now) =>
      report(
        board,
        lease,
        {
          how: 'completed',
          outcome: 'completed',
          result: { summary: 'done', branch: null, commit: null, pr: null, details: null },
          children: [],
        },
        now,
      ),
  };
}
