import type { z } from 'zod';
import type { Task as TaskOut, TasksQuery } from '../api/tasks.ts';
import type { Hall } from '../board/hall.ts';
import type { Board } from '../domain/board.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import { isClosedWord } from '../domain/task.ts';
import type { Page, Reads, TaskRecord } from '../ports/store.ts';
import { look } from './changing.ts';
import { taskIn, taskName } from './views/plain.ts';
import { taskView } from './views/task.ts';

type Query = z.output<typeof TasksQuery>;

/**
 * A page of tasks, newest first. Open ones are found in memory and only their words are read; what
 * has ended, and any search for words, is the store's.
 */
export async function listTasks(
  hall: Hall,
  query: Query,
): Promise<{ readonly tasks: readonly TaskOut[]; readonly next: string | null }> {
  const isOpenOnly = query.state?.every((state) => !isClosedWord(state)) ?? false;
  const { rows, next } =
    isOpenOnly && query.text === undefined
      ? await openPage(hall, query)
      : await storedPage(hall.store, query);
  return {
    tasks: await withThreads(hall.store, rows),
    next: next === undefined ? null : taskName(next as TaskId),
  };
}

function storedPage(store: Reads, query: Query): Promise<Page<TaskRecord>> {
  const { project, state, type, text, after, limit } = query;
  return store.tasks({
    limit,
    ...(project !== undefined && { project }),
    ...(state !== undefined && { states: state }),
    ...(type !== undefined && { type }),
    ...(text !== undefined && { text }),
    ...(after !== undefined && { before: taskIn(after) }),
  });
}

async function openPage(hall: Hall, query: Query): Promise<Page<TaskRecord>> {
  const ids = await look(hall, (board) => newestOpen(board, query));
  const page = ids.slice(0, query.limit);
  const rows = await hall.store.tasksById(page);
  const byId = new Map(rows.map((row) => [row.task.id, row]));
  return {
    rows: page.map((id) => byId.get(id)).filter((row) => row !== undefined),
    next: ids.length > query.limit ? page.at(-1) : undefined,
  };
}

/** One more than the page has, so that it is known whether there is another. */
function newestOpen(board: Board, { project, state, type, after, limit }: Query): TaskId[] {
  const states = new Set(state);
  const before = after === undefined ? Number.POSITIVE_INFINITY : taskIn(after);
  const ids: TaskId[] = [];
  for (const task of board.tasks.values()) {
    if (task.id >= before || !states.has(task.state.is)) continue;
    if (project !== undefined && task.project !== project) continue;
    if (type !== undefined && task.type !== type) continue;
    ids.push(task.id);
  }
  return ids.sort((a, b) => b - a).slice(0, limit + 1);
}

/** Size and labels belong to the thread. */
export async function withThreads(
  store: Reads,
  records: readonly TaskRecord[],
): Promise<readonly TaskOut[]> {
  const ids = [...new Set(records.map(({ task }) => task.thread))];
  const threads = await store.threadsById(ids);
  const byId = new Map<ThreadId, (typeof threads)[number]>(
    threads.map((record) => [record.thread.id, record]),
  );
  return records.map(({ task, title }) => taskView(task, byId.get(task.thread)?.thread, title));
}
