import type { Hall } from '../board/hall.ts';
import type { Dependency } from '../domain/dependencies/look-up.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Keys } from '../ports/store.ts';

/**
 * The keys to recall so closed tasks and threads can be named. The thread of a closed task is
 * looked up first: it never changes, and the decision needs both.
 */
export async function keysFor(
  hall: Hall,
  dependencies: readonly Dependency[],
  others: readonly TaskId[] = [],
): Promise<Keys> {
  const { board, store } = hall;
  const tasks = [
    ...others,
    ...dependencies.flatMap((named) => ('task' in named ? [named.task] : [])),
  ].filter((id) => !board.tasks.has(id));
  const threads = dependencies
    .flatMap((named) => ('thread' in named ? [named.thread] : []))
    .filter((id) => !board.threads.has(id));
  if (tasks.length === 0) return threads.length === 0 ? {} : { threads };
  const records = await store.tasksById(tasks);
  return { tasks, threads: [...threads, ...records.map(({ task }) => task.thread)] };
}
