import type { Board } from './board.ts';
import type { HallEvent } from './event.ts';
import { nameOf, type ThreadId } from './ids.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Size } from './size.ts';
import { BREAKDOWN, DECOMPOSE } from './skill.ts';
import { isBlocked, isClosed, type Task, type TaskState } from './task.ts';
import { isFinished, isForsaken, type Thread } from './thread.ts';

export const MOST_CHILDREN = 25;

/** Into how many parts a task is split at least; none where the skill is not about splitting. */
export function fewestChildren(skill: string, size: Size): number {
  if (skill === BREAKDOWN) return 1;
  if (skill !== DECOMPOSE) return 0;
  return size === 'XL' ? 5 : 2;
}

export function childrenGate(thread: Thread, fewest: number, count: number): Refusal | undefined {
  if (count >= fewest && count + thread.children <= MOST_CHILDREN) return undefined;
  return refuse(
    'children_out_of_range',
    `${nameOf('thread', thread.id)} of size ${thread.size} is split into ${fewest} to ${MOST_CHILDREN} children, not ${count}`,
  );
}

/**
 * What follows when a thread is done: those that waited only for it may start, and a parent whose
 * last child it was is done too, which may free others in turn.
 */
export function doneCascade(board: Board, first: ThreadId, at: number): readonly HallEvent[] {
  return [{ type: 'ThreadDone', thread: first }, ...freedBy(board, first, at)];
}

/** The same, where the event at hand says of the thread itself that it is done. */
export function freedBy(board: Board, first: ThreadId, at: number): readonly HallEvent[] {
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
      if (!thread || freed.has(other) || !thread.blockedBy.every((wait) => done.has(wait)))
        continue;
      freed.add(other);
      events.push(...unblocked(board, thread, at));
    }
    const parent = parentOf(board, id);
    if (parent && isFinishedBy(board, parent, done)) queue.push(parent.id);
  }
  return events;
}

/**
 * What follows for its thread when a task ends without being completed: a thread that had been done
 * but for it is done again, and a pull request that nobody works on any more is left to a person.
 */
export function doneAgain(
  board: Board,
  { id, thread }: Task,
  state: TaskState,
): readonly HallEvent[] {
  const before = board.threads.get(thread);
  if (!before || !isClosed(state)) return [];
  const left = { ...before, tasks: before.tasks.filter((other) => other !== id) };
  if (isFinished(left)) return doneCascade(board, thread, state.since);
  const isLeft = left.tasks.length === 0 && left.forge.pr?.state === 'open' && !left.handedOver;
  return isLeft ? [leftToPerson(left, `${nameOf('task', id)} is ${state.is}`, state.since)] : [];
}

export function leftToPerson(thread: Thread, because: string, at: number): HallEvent {
  const handedOver = { since: at, by: 'hall', because };
  return { type: 'ThreadChanged', thread: thread.id, change: { handedOver } };
}

export function unblocked(board: Board, thread: Thread, at: number): readonly HallEvent[] {
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

/** A child is gone, so a parent that waited for it only is done, or gone too when nothing of it is left. */
export function withoutChild(board: Board, child: Thread, at: number): readonly HallEvent[] {
  const parent = child.parent === null ? undefined : board.threads.get(child.parent);
  if (!parent) return [];
  const left = { ...parent, children: parent.children - 1 };
  if (isForsaken(left)) return withoutChild(board, left, at);
  return isFinished(left) ? doneCascade(board, parent.id, at) : [];
}

/** The state of a task that may go on, unless its thread waits for another. */
export function stateToStart(board: Board, thread: ThreadId, at: number): TaskState {
  const waits = board.threads.get(thread)?.blockedBy.length ?? 0;
  return { is: waits > 0 ? 'blocked' : 'available', since: at };
}

/**
 * The way by which `after` already needs `thread` to be done, through dependencies and children, or
 * undefined when it does not. Were `thread` to wait for `after`, neither could ever be done.
 */
export function wayBack(
  board: Board,
  thread: ThreadId,
  after: ThreadId,
): readonly ThreadId[] | undefined {
  const cameFrom = doneAfter(board, thread);
  if (!cameFrom.has(after)) return undefined;
  const way: ThreadId[] = [];
  for (let id: ThreadId | null | undefined = after; id; id = cameFrom.get(id)) way.push(id);
  return way.reverse();
}

/** The thread itself and all that need it to be done, each with the one it was found through. */
export function doneAfter(board: Board, first: ThreadId): ReadonlyMap<ThreadId, ThreadId | null> {
  const cameFrom = new Map<ThreadId, ThreadId | null>([[first, null]]);
  const queue = [first];
  for (let last = queue.pop(); last !== undefined; last = queue.pop()) {
    const above = board.threads.get(last)?.parent;
    for (const next of [...board.dependents.of(last), ...(above ? [above] : [])]) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, last);
      queue.push(next);
    }
  }
  return cameFrom;
}

const MOST_NAMED = 20;

/** A long way around, as a person can read it. */
export function shortened(names: readonly string[]): readonly string[] {
  if (names.length <= MOST_NAMED) return names;
  const left = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED / 2), `… ${left} more …`, ...names.slice(-MOST_NAMED / 2)];
}
