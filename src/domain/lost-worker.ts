import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { startState } from './dependencies/unblock.ts';
import type { HallEvent } from './event.ts';
import { type Instant, nameOf, type RunId, type WorkerId } from './ids.ts';
import { refuse } from './refusal.ts';
import { hasCrashedTooOften } from './retry-limits.ts';
import type { Ending, Run } from './run.ts';
import { afterUnfinishedTask } from './splitting.ts';
import type { TaskState } from './task.ts';

/** The worker is dead: its task is requeued, or fails when it has cost too many workers. */
export function loseWorker(
  board: Board,
  id: WorkerId,
  because: string,
  now: Now,
): Decision<WorkerId> {
  return dismiss(board, id, { because, now, how: 'lost' });
}

/** The worker leaves by itself and returns its task, which does not count as a crash. */
export function deregister(
  board: Board,
  id: WorkerId,
  because: string,
  now: Now,
): Decision<WorkerId> {
  return dismiss(board, id, { because, now, how: 'released' });
}

interface Departure {
  readonly because: string;
  readonly now: Now;
  readonly how: 'lost' | 'released';
}

function dismiss(board: Board, id: WorkerId, { because, now, how }: Departure): Decision<WorkerId> {
  const name = nameOf('worker', id);
  if (!board.workers.has(id))
    return refuseWith(refuse('unknown_worker', `${name} is not registered`));
  const run = board.runs.get(board.runOf.get(id) ?? (0 as RunId));
  const released = run ? releaseRun(board, run, { because, now, how }) : [];
  return decide(id, [...released, { type: 'WorkerDeregistered', worker: id, because }]);
}

/** Ends a run and makes its task available to other workers. */
export function releaseRun(
  board: Board,
  run: Run,
  { because, now, how }: Departure,
): readonly HallEvent[] {
  const ending = { at: now.at, how, because };
  const state =
    how === 'lost' ? afterCrash(board, run, ending) : startState(board, run.thread, now.at);
  return ended(board, run, ending, state);
}

function ended(board: Board, run: Run, ending: Ending, state: TaskState): readonly HallEvent[] {
  const task = board.tasks.get(run.task);
  const event: HallEvent = { type: 'RunEnded', run: run.id, ending, task: state };
  return task ? [event, ...afterUnfinishedTask(board, task, state)] : [event];
}

interface Loss {
  readonly at: Instant;
  readonly because: string;
}

function afterCrash(board: Board, run: Run, { at, because }: Loss): TaskState {
  const crashes = (board.tasks.get(run.task)?.crashes ?? 0) + 1;
  const settings = board.projects.get(run.project)?.settings ?? { crashRequeues: 0 };
  if (!hasCrashedTooOften(crashes, settings)) return startState(board, run.thread, at);
  const lost = crashes === 1 ? 'lost its worker' : `lost ${crashes} workers in a row, the last`;
  const summary = `${lost}: ${because}; check its log before reopening it`;
  return { is: 'failed', since: at, reason: 'crashed', summary };
}

/** The run used up the time for its size. The branch stays; the task is not retried. */
export function timeOutRun(board: Board, id: RunId, now: Now): Decision<RunId> {
  const run = board.runs.get(id);
  if (!run) return refuseWith(refuse('unknown_run', `${nameOf('run', id)} has ended`));
  const summary = `ran longer than the ${Math.round(run.limit / 60_000)} minutes its size allows`;
  const result = { summary, branch: null, commit: null, pr: null, details: null };
  const ending: Ending = { at: now.at, how: 'failed', reason: 'timeout', result };
  const state: TaskState = { is: 'failed', since: now.at, reason: 'timeout', summary };
  return decide(id, ended(board, run, ending, state));
}
