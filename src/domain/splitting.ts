import type { Board } from './board.ts';
import { completionEvents } from './dependencies/unblock.ts';
import type { HallEvent } from './event.ts';
import { nameOf } from './ids.ts';
import { handOverToPerson } from './pull-request.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Size } from './size.ts';
import { BREAKDOWN, DECOMPOSE } from './skill.ts';
import { isClosed, type Task, type TaskState } from './task.ts';
import { isAbandoned, isFinished, isPending, type Thread } from './thread.ts';

export const MAX_CHILDREN = 25;

/** The minimum number of children; 0 for skills that do not split. */
export function minChildren(skill: string, size: Size): number {
  if (skill === BREAKDOWN) return 1;
  if (skill !== DECOMPOSE) return 0;
  return size === 'XL' ? 5 : 2;
}

export function checkChildCount(
  thread: Thread,
  fewest: number,
  count: number,
): Refusal | undefined {
  if (count >= fewest && count + thread.children <= MAX_CHILDREN) return undefined;
  return refuse(
    'children_out_of_range',
    `${nameOf('thread', thread.id)} of size ${thread.size} must be split into ${fewest} to ${MAX_CHILDREN} children, not ${count}`,
  );
}

/**
 * The follow-up in a thread when a task ends without being completed: the thread is done if only
 * this task kept it open, and an idle pull request is handed to a person.
 */
export function afterUnfinishedTask(
  board: Board,
  { id, thread }: Task,
  state: TaskState,
): readonly HallEvent[] {
  const before = board.threads.get(thread);
  if (!before || !isClosed(state)) return [];
  const left = { ...before, tasks: before.tasks.filter((other) => other !== id) };
  if (isFinished(left)) return completionEvents(board, thread, state.since);
  const isLeft = left.tasks.length === 0 && isPending(left.forge.pr) && !left.handedOver;
  return isLeft
    ? [handOverToPerson(left, `${nameOf('task', id)} is ${state.is}`, state.since)]
    : [];
}

/** Without the child, its parent may be done, or is cancelled too if nothing of it is left. */
export function withoutChild(board: Board, child: Thread, at: number): readonly HallEvent[] {
  const parent = child.parent === null ? undefined : board.threads.get(child.parent);
  if (!parent) return [];
  const left = { ...parent, children: parent.children - 1 };
  if (isAbandoned(left)) return withoutChild(board, left, at);
  return isFinished(left) ? completionEvents(board, parent.id, at) : [];
}
