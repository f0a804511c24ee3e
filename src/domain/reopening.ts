import type { Board } from './board.ts';
import type { ClosedWork } from './closed-work.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { cycleThrough } from './dependencies/cycle.ts';
import type { HallEvent } from './event.ts';
import { onTask } from './find-task.ts';
import type { TaskId, ThreadId } from './ids.ts';
import { stateSummary } from './operator-hints.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { isOncePerThread } from './skill.ts';
import { isClosed, type Task, type TaskState } from './task.ts';
import { isDone, type Thread } from './thread.ts';

interface Reopening {
  readonly task: TaskId;
  readonly title: string;
  readonly body: string;
}

/** A closed task is final: reopening posts a new task, linked to it, at the thread's old place. */
export function reopen(
  board: Board,
  recalled: ClosedWork,
  { task: id, title, body }: Reopening,
  now: Now,
): Decision<TaskId> {
  return onTask(board, recalled, id, (before) => {
    if (!isClosed(before.state)) {
      return refuseWith(
        refuse('task_not_closed', `only an ended task can be reopened: ${stateSummary(before)}`),
      );
    }
    const same = sameWork(board, before);
    if (same) return refuseWith(same);
    const reopened = reopenThread(board, recalled, before);
    if (isRefusal(reopened)) return refuseWith(reopened);
    const { opening, blockedBy } = reopened;
    const task = (board.seq + 1 + opening.length) as TaskId;
    const { postedAt: _p, crashes: _c, labelWaitExpired: _w, ...facts } = before;
    const state: TaskState = { is: blockedBy.length > 0 ? 'blocked' : 'available', since: now.at };
    const posted = { ...facts, id: task, actor: now.actor, reopens: id, state, title, body };
    return decide(task, [...opening, { type: 'TaskPosted', task: posted, opens: null }]);
  });
}

/** Refuses duplicates: two people reopen a task, or one hands its thread back and reopens what failed. */
function sameWork(board: Board, { id, skill, thread }: Task): Refusal | undefined {
  const once = isOncePerThread(skill);
  const open = (board.threads.get(thread)?.tasks ?? [])
    .map((other) => board.tasks.get(other))
    .find((task) => task?.reopens === id || (once && task?.skill === skill));
  if (!open) return undefined;
  return refuse(
    'task_not_closed',
    `the thread already has an open task for the same work: ${stateSummary(open)}`,
  );
}

interface Reopened {
  readonly opening: readonly HallEvent[];
  readonly blockedBy: readonly ThreadId[];
}

/** The thread of the new task, reopened if it was closed. */
function reopenThread(
  board: Board,
  recalled: ClosedWork,
  { thread: id, project }: Task,
): Reopened | Refusal {
  const live = board.threads.get(id);
  const thread = live ?? board.closing.threads.get(id) ?? recalled.thread(id);
  if (!thread || !board.projects.has(project)) {
    return refuse('unknown_project', `project ${project} no longer exists`);
  }
  if (live) return { opening: [], blockedBy: live.blockedBy };
  const blockedBy = unfinishedDependencies(board, recalled, thread);
  const cycle = newCycle(board, thread, blockedBy);
  if (cycle !== undefined) {
    const because = `the dependencies would form a cycle: ${cycle}; change one of them first`;
    return refuse('dependency_cycle', because);
  }
  const parent = parentStillOpen(board, thread);
  return {
    opening: [{ type: 'ThreadReopened', thread: { ...thread, blockedBy, parent } }],
    blockedBy,
  };
}

function unfinishedDependencies(
  board: Board,
  recalled: ClosedWork,
  thread: Thread,
): readonly ThreadId[] {
  return thread.dependsOn.filter((id) => {
    const other = board.threads.get(id) ?? board.closing.threads.get(id) ?? recalled.thread(id);
    return !other || !isDone(other);
  });
}

/** While the thread was closed, its dependencies may have come to depend on it. */
function newCycle(board: Board, thread: Thread, waits: readonly ThreadId[]): string | undefined {
  const above = thread.parent === null ? [thread.id] : [thread.id, thread.parent];
  for (const wait of waits) {
    for (const id of above) {
      const cycle = cycleThrough(board, id, wait);
      if (cycle !== undefined) return cycle;
    }
  }
  return undefined;
}

/** A closed parent no longer counts its children, so the thread continues without it. */
function parentStillOpen(board: Board, { parent }: Thread): ThreadId | null {
  return parent !== null && board.threads.has(parent) ? parent : null;
}
