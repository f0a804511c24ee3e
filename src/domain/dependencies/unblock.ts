import type { Board } from '../board.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { isBlocked, type TaskState } from '../task.ts';
import { isFinished, type Thread } from '../thread.ts';

/**
 * The events that follow when a thread is done: threads that waited only for it may start, and a
 * parent is done with its last child, which may unblock others in turn.
 */
export function completionEvents(board: Board, first: ThreadId, at: number): readonly HallEvent[] {
  return [{ type: 'ThreadDone', thread: first }, ...eventsAfterCompletion(board, first, at)];
}

/** The same, when the current event already marks the thread itself as done. */
export function eventsAfterCompletion(
  board: Board,
  first: ThreadId,
  at: number,
): readonly HallEvent[] {
  const events: HallEvent[] = [];
  const done = new Set<ThreadId>();
  const freed = new Set<ThreadId>();
  const queue = [first];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (done.has(id)) continue;
    done.add(id);
    if (id !== first) events.push({ type: 'ThreadDone', thread: id });
    for (const other of board.dependents.of(id)) {
      const thread = board.threads.get(other);
      if (!thread || freed.has(other) || !thread.blockedBy.every((other) => done.has(other)))
        continue;
      freed.add(other);
      events.push(...unblockEvents(board, thread, at));
    }
    const parent = parentOf(board, id);
    if (parent && isFinishedBy(board, parent, done)) queue.push(parent.id);
  }
  return events;
}

export function unblockEvents(board: Board, thread: Thread, at: number): readonly HallEvent[] {
  return thread.tasks
    .filter((id) => {
      const task = board.tasks.get(id);
      return task && isBlocked(task.state);
    })
    .map((task) => ({ type: 'TaskUnblocked', task, state: { is: 'available', since: at } }));
}

function parentOf(board: Board, id: ThreadId): Thread | undefined {
  const parent = board.threads.get(id)?.parent;
  return parent === null || parent === undefined ? undefined : board.threads.get(parent);
}

function isFinishedBy(board: Board, parent: Thread, done: ReadonlySet<ThreadId>): boolean {
  const more = [...done].filter((id) => board.threads.get(id)?.parent === parent.id).length;
  return isFinished({ ...parent, childrenDone: parent.childrenDone + more });
}

/** The state of a task that is ready: available, or blocked while its thread waits for another. */
export function startState(board: Board, thread: ThreadId, at: number): TaskState {
  const blockers = board.threads.get(thread)?.blockedBy.length ?? 0;
  return { is: blockers > 0 ? 'blocked' : 'available', since: at };
}
