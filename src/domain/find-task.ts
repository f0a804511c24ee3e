import type { Board } from './board.ts';
import { type Decision, no } from './decision.ts';
import { nameOf, type TaskId } from './ids.ts';
import { standing } from './next-step.ts';
import type { Recollection } from './recollection.ts';
import { refuse } from './refusal.ts';
import type { Task } from './task.ts';

/** A task by its id, open or closed. */
export function findTask(board: Board, recalled: Recollection, id: TaskId): Task | undefined {
  return board.tasks.get(id) ?? board.closing.tasks.get(id) ?? recalled.task(id);
}

/** Decides about a task that has not ended, or refuses: a closed one is told from an unknown one. */
export function onOpenTask<A>(
  board: Board,
  recalled: Recollection,
  id: TaskId,
  decideOn: (task: Task) => Decision<A>,
): Decision<A> {
  const open = board.tasks.get(id);
  if (open) return decideOn(open);
  const closed = findTask(board, recalled, id);
  return no(closed ? refuse('task_closed', standing(closed)) : unknownTask(id));
}

/** Decides about any task there is or was, or refuses an unknown one. */
export function onTask<A>(
  board: Board,
  recalled: Recollection,
  id: TaskId,
  decideOn: (task: Task) => Decision<A>,
): Decision<A> {
  const task = findTask(board, recalled, id);
  return task ? decideOn(task) : no(unknownTask(id));
}

function unknownTask(id: TaskId) {
  return refuse('unknown_task', `there is no task ${nameOf('task', id)}`);
}
