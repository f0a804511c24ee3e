import type { Board } from './board.ts';
import {
  creditRule,
  eligibilityRule,
  hallRule,
  instanceRule,
  projectRule,
  workerRule,
} from './claim-rules.ts';
import { type Decision, decide, refuseWith } from './decision.ts';
import type { HallEvent } from './event.ts';
import { type Fence, fenceFor, nameOf, type RunId, type TaskId, type WorkerId } from './ids.ts';
import type { Instance } from './pool.ts';
import type { Bucket, Route } from './ready-set.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { eligibleInstances } from './routing.ts';
import { TIME_TARGETS, timeLimitOf } from './size.ts';
import { timedAs } from './skill.ts';
import type { Worker } from './worker.ts';

export interface Claimed {
  readonly run: RunId;
  readonly task: TaskId;
  readonly fence: Fence;
}

/** The workers that are waiting for work. */
export interface Waiting {
  /** Is a worker of the instance waiting that could start in the project? */
  waits(instance: string, project: string): boolean;
  /** Is this worker waiting, whatever it may take? */
  includes(worker: WorkerId): boolean;
}

/**
 * Gives a worker the next task it may take, with a slot, a credit and a fence, or says why there is
 * none.
 *
 * The project served longest ago comes first; within a project, the oldest thread.
 */
export function claim(board: Board, worker: Worker, waiting: Waiting): Decision<Claimed> {
  const earlier = claimedBefore(board, worker);
  if (earlier) return isRefusal(earlier) ? refuseWith(earlier) : decide(earlier, []);

  const instance = board.instances.get(worker.instance);
  if (!instance)
    return refuseWith(refuse('unknown_instance', `${worker.instance} is not in the pool`));
  const refusal = hallRule(board) ?? workerRule(worker) ?? instanceRule(board, instance);
  if (refusal) return refuseWith(refusal);

  const candidate = nextTask(board, { worker, instance, waiting });
  return candidate ? take(board, worker, candidate) : refuseWith(NOTHING);
}

const NOTHING = refuse('nothing_claimable', 'there is no task that this worker may claim now');

/** A worker that lost the response asks again and gets the same claim. */
function claimedBefore(board: Board, worker: Worker): Claimed | Refusal | undefined {
  const id = board.runOf.get(worker.id);
  const run = id === undefined ? undefined : board.runs.get(id);
  if (!run) return undefined;
  if (run.startedAt === null) return { run: run.id, task: run.task, fence: run.fence };
  const busy = `${nameOf('worker', worker.id)} is working on ${nameOf('run', run.id)}`;
  return refuse(
    'worker_busy',
    `${busy}; it must report the outcome of that run before it can claim another task`,
  );
}

interface Candidate {
  readonly route: Route;
  readonly task: TaskId;
  readonly served: number;
}

interface Claimant {
  readonly worker: Worker;
  readonly instance: Instance;
  readonly waiting: Waiting;
}

function nextTask(board: Board, claimant: Claimant): Candidate | undefined {
  let best: Candidate | undefined;
  for (const project of board.projects.values()) {
    const served = board.lastServed.get(project.name) ?? 0;
    if (best && served >= best.served) continue;
    if (projectRule(board, project, claimant)) continue;
    const bucket = firstBucket(board, project.name, claimant);
    const first = bucket?.waiting.first();
    if (!bucket || !first) continue;
    if (isRefusal(creditRule(board, project.name, claimant.worker))) continue;
    best = { route: bucket.route, task: first[1] as TaskId, served };
  }
  return best;
}

/** Of the buckets the worker may take from, the one with the oldest first task. */
function firstBucket(board: Board, project: string, claimant: Claimant): Bucket | undefined {
  let best: Bucket | undefined;
  let oldest: readonly [number, number] | undefined;
  for (const bucket of board.ready.bucketsOf(project)) {
    const first = bucket.waiting.first();
    if (!first || (oldest && !isBefore(first, oldest))) continue;
    if (eligibilityRule(board, bucket.route, claimant.instance, claimant.waiting)) continue;
    best = bucket;
    oldest = first;
  }
  return best;
}

function isBefore(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}

function take(board: Board, worker: Worker, { route, task: id }: Candidate): Decision<Claimed> {
  const task = board.tasks.get(id);
  const thread = task && board.threads.get(task.thread);
  const payer = creditRule(board, route.project, worker);
  if (!task || !thread || isRefusal(payer)) return refuseWith(NOTHING);

  const seq = board.seq + 1;
  const size = timedAs(task.skill, thread.size);
  const timeLimits = board.projects.get(route.project)?.settings.timeLimits ?? {};
  const run = {
    id: seq as RunId,
    task: id,
    worker: worker.id,
    fence: fenceFor(board.hall.era, seq),
    invoker: payer.invoker,
    credits: payer.credits,
    target: TIME_TARGETS[size],
    limit: timeLimitOf(size, timeLimits),
  };
  const events: HallEvent[] = [{ type: 'RunClaimed', run }];
  const taker = eligibleInstances(board, route).find(
    ({ instance }) => instance === worker.instance,
  );
  if (taker?.lastResort)
    events.push({ type: 'LabelsUnmatched', task: id, because: unmatchedLabelsText(route) });
  return decide({ run: run.id, task: id, fence: run.fence }, events);
}

function unmatchedLabelsText({ type, project }: Route): string {
  return `every instance of type ${type} in ${project} requires labels that this thread does not have, so label requirements are ignored and any of them may claim it`;
}
