import type { Board } from './board.ts';
import type { ClosedWork } from './closed-work.ts';
import { type Decision, refuseWith } from './decision.ts';
import { nameOf, type TaskId } from './ids.ts';
import { stateSummary } from './operator-hints.ts';
import { refuse } from './refusal.ts';
import type { Task } from './task.ts';

/** A task by its id, open or closed. */
function findTask(board: Board, recalled: ClosedWork, id: TaskId): Task | undefined {
  return board.tasks.get(id) ?? board.closing.tasks.get(id) ?? recalled.task(id);
}

/** Decides about an open task, or refuses with different codes for a closed and an unknown one. */
export function onOpenTask<A>(
  board: Board,
  recalled: ClosedWork,
  id: TaskId,
  decideOn: (task: Task) => Decision<A>,
): Decision<A> {
  const open = board.tasks.get(id);
  if (open) return decideOn(open);
  const closed = findTask(board, recalled, id);
  return refuseWith(closed ? refuse('task_closed', stateSummary(closed)) : unknownTask(id));
}

/** Decides about a task, open or closed, or refuses an unknown one. */
export function onTask<A>(
  board: Board,
  recalled: ClosedWork,
  id: TaskId,
  decideOn: (task: Task) => Decision<A>,
): Decision<A> {
  const task = findTask(board, recalled, id);
  return task ? decideOn(task) : refuseWith(unknownTask(id));
}

function unknownTask(id: TaskId) {
  return refuse('unknown_task', `there is no task ${nameOf('task', id)}`);
}
