import type { Board } from './board.ts';
import type { ClaimedRun, HallEvent, Recorded } from './event.ts';
import { endApprovals } from './evolve-approval.ts';
import { recordResult } from './evolve-forge.ts';
import { finishThread, moveTask, noteOn } from './evolve-thread.ts';
import type { RunId, ThreadId, WorkerId } from './ids.ts';
import type { Row } from './row.ts';
import { NO_USAGE, type Run, stateHeldBy, type Usage } from './run.ts';
import { writes } from './skill.ts';
import { isHeld } from './task.ts';
import { requeueAround } from './thread-queue.ts';
import type { Worker } from './worker.ts';

type RunEvent = Extract<
  HallEvent,
  {
    type:
      | 'WorkerRegistered'
      | 'WorkerDraining'
      | 'WorkerDeregistered'
      | 'RunClaimed'
      | 'RunStarted'
      | 'RunAwaitingApproval'
      | 'RunResumed'
      | 'TargetExceeded'
      | 'UsageRecorded'
      | 'NoteAdded'
      | 'RunEnded';
  }
>;

/** Applies events about workers and the tasks they hold. */
export function evolveRun(board: Board, event: RunEvent, at: Recorded): readonly Row[] {
  switch (event.type) {
    case 'WorkerRegistered':
      return setWorker(board, { ...event.worker, draining: false, deregistered: null });
    case 'WorkerDraining':
      // Others may now take the tasks that its labels reserved for it.
      board.wakeups.all = true;
      return changeWorker(board, event.worker, { draining: true });
    case 'WorkerDeregistered':
      board.wakeups.all = true;
      return changeWorker(board, event.worker, {
        deregistered: { at: at.at, because: event.because },
      });
    case 'RunClaimed':
      return claimRun(board, event.run, at.at);
    case 'RunStarted':
      return changeRun(board, event.run, { startedAt: at.at });
    case 'RunAwaitingApproval':
      return changeRun(board, event.run, { awaitingApprovalSince: at.at });
    case 'RunResumed':
      return changeRun(board, event.run, { awaitingApprovalSince: null });
    case 'TargetExceeded':
      return changeRun(board, event.run, { overTargetSince: at.at });
    case 'UsageRecorded':
      return useRun(board, event.run, event.usage, at.at);
    case 'NoteAdded': {
      const run = board.runs.get(event.run);
      return run ? noteOn(board, run.task, { at, kind: 'note', text: event.note }) : [];
    }
    case 'RunEnded':
      return endRun(board, event, at);
  }
}

function setWorker(board: Board, worker: Worker): readonly Row[] {
  if (worker.deregistered) board.workers.delete(worker.id);
  else board.workers.set(worker.id, worker);
  return [{ table: 'worker', key: worker.id, row: worker }];
}

function changeWorker(board: Board, id: WorkerId, change: Partial<Worker>): readonly Row[] {
  const worker = board.workers.get(id);
  return worker ? setWorker(board, { ...worker, ...change }) : [];
}

/** A claim writes a run and leaves the task's row unchanged: fewer pages per commit. */
function claimRun(board: Board, claimed: ClaimedRun, at: number): readonly Row[] {
  const task = board.tasks.get(claimed.task);
  const worker = board.workers.get(claimed.worker);
  if (!task || !worker) return [];
  const run: Run = {
    ...claimed,
    thread: task.thread,
    project: task.project,
    instance: worker.instance,
    agent: task.agent,
    writes: writes(task.skill),
    committed: false,
    claimedAt: at,
    startedAt: null,
    awaitingApprovalSince: null,
    overTargetSince: null,
    usage: NO_USAGE,
    ending: null,
  };
  hold(board, run);
  board.lastServed.set(run.project, run.id);
  const rows: Row[] = [{ table: 'run', key: run.id, row: run }];
  return [...rows, ...charge(board, run.invoker, { reserved: run.credits, lastUsed: at })];
}

/** Also used when the hall loads open runs. */
export function hold(board: Board, run: Run): void {
  const task = board.tasks.get(run.task);
  if (!task) return;
  requeueAround(board, run.thread, () => {
    board.runs.set(run.id, run);
    board.runsIn.set(run.thread, [...(board.runsIn.get(run.thread) ?? []), run.id]);
    board.putTask({ ...task, state: stateHeldBy(run) });
  });
  board.runOf.set(run.worker, run.id);
  board.count(board.runningIn, run.project, 1);
  board.count(board.runningAs, run.instance, 1);
}

/** The state of a held task is derived from its run, so only the run is written. */
function changeRun(
  board: Board,
  id: RunId,
  change: Partial<Pick<Run, 'startedAt' | 'awaitingApprovalSince' | 'overTargetSince'>>,
): readonly Row[] {
  const before = board.runs.get(id);
  const task = before && board.tasks.get(before.task);
  if (!before || !task || !isHeld(task.state)) return [];
  const run = { ...before, ...change };
  board.runs.set(id, run);
  board.putTask({ ...task, state: stateHeldBy(run) });
  return [{ table: 'run', key: id, row: run }];
}

/** The model's first response turns reserved credits into spent ones. */
function useRun(board: Board, id: RunId, usage: Usage, at: number): readonly Row[] {
  const before = board.runs.get(id);
  if (!before) return [];
  const run = { ...before, usage, committed: true };
  board.runs.set(id, run);
  const rows: Row[] = [{ table: 'run', key: id, row: run }];
  if (before.committed) return rows;
  const { credits } = run;
  return [
    ...rows,
    ...charge(board, run.invoker, { reserved: -credits, used: credits, lastUsed: at }),
  ];
}

function charge(
  board: Board,
  handle: string | null,
  by: { readonly reserved: number; readonly used?: number; readonly lastUsed?: number },
): readonly Row[] {
  const invoker = handle === null ? undefined : board.invokers.get(handle);
  if (!invoker) return [];
  const row = {
    ...invoker,
    reserved: invoker.reserved + by.reserved,
    used: invoker.used + (by.used ?? 0),
    lastUsed: by.lastUsed ?? invoker.lastUsed,
  };
  board.invokers.set(row.handle, row);
  return [{ table: 'invoker', key: row.handle, row }];
}

function endRun(
  board: Board,
  { run: id, ending, task: state, done }: Extract<RunEvent, { type: 'RunEnded' }>,
  at: Recorded,
): readonly Row[] {
  const before = board.runs.get(id);
  const task = before && board.tasks.get(before.task);
  if (!before || !task) return [];
  const run = { ...before, awaitingApprovalSince: null, ending };
  letGo(board, run);
  const crashes = task.crashes + (ending.how === 'lost' ? 1 : 0);
  const rows: Row[] = [{ table: 'run', key: id, row: run }, ...endApprovals(board, id)];
  if (ending.how === 'completed') rows.push(...recordResult(board, run, ending.result, at));
  rows.push(...moveTask(board, task.id, state, { crashes }));
  if (done) for (const row of finishThread(board, run.thread)) rows.push(row);
  if (ending.how === 'asked') {
    rows.push(...noteOn(board, task.id, { at, kind: 'question', text: ending.question }));
  }
  if (!run.committed && run.credits > 0) {
    rows.push(...charge(board, run.invoker, { reserved: -run.credits }));
    board.wakeups.all = true;
  }
  return rows;
}

function letGo(board: Board, run: Run): void {
  requeueAround(board, run.thread, () => {
    board.runs.delete(run.id);
    const left = (board.runsIn.get(run.thread) ?? []).filter((id) => id !== run.id);
    if (left.length === 0) board.runsIn.delete(run.thread as ThreadId);
    else board.runsIn.set(run.thread, left);
  });
  board.runOf.delete(run.worker);
  board.count(board.runningIn, run.project, -1);
  board.count(board.runningAs, run.instance, -1);
  board.wakeups.projects.add(run.project);
  board.wakeups.instances.add(run.instance);
}
