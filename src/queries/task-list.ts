import type { Task as TaskOut, TasksQuery } from '../api/tasks.ts';
import type { Hall } from '../board/hall.ts';
import type { Board } from '../domain/board.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import { isClosedState, isHeldState, type Task } from '../domain/task.ts';
import type { Page, Reads, TaskRecord } from '../ports/store.ts';
import { filterInBatches } from './filter-in-batches.ts';
import { taskIn, taskName } from './views/ids-and-times.ts';
import { taskView } from './views/task.ts';

interface TaskList {
  readonly tasks: readonly TaskOut[];
  readonly next: string | null;
  readonly search: { readonly indexed_to: number; readonly log_end: number } | null;
}

/**
 * A page of tasks, newest first. The store scans its rows, which is fast when many of them match.
 * Tasks in a rare state could take it many pages to find, so memory finds those.
 */
export async function listTasks(hall: Hall, query: TasksQuery): Promise<TaskList> {
  // Read before the search, so that it promises no more than the search saw.
  const search = isSearch(query) ? await searchReach(hall) : null;
  const { rows, next } = isRare(hall.board, query)
    ? await openPage(hall, query)
    : await storedPage(hall.store, query);
  return {
    tasks: await withThreads(hall.store, rows),
    next: next === undefined ? null : taskName(next as TaskId),
    search,
  };
}

function isSearch({ text, branch, link }: TasksQuery): boolean {
  return text !== undefined || branch !== undefined || link !== undefined;
}

/** A follower knows only what the leader has stored. */
async function searchReach({ board, store, leading }: Hall) {
  const reach = leading()?.search.reach;
  const { indexedTo, logEnd } = reach ?? {
    indexedTo: await store.indexedTo(),
    logEnd: board.seq,
  };
  return { indexed_to: Math.min(indexedTo, logEnd), log_end: logEnd };
}

const RARE = 0.01;

/** True for open states that hardly any open task is in. Held tasks have their own index. */
function isRare(board: Board, query: TasksQuery): boolean {
  const { project, state } = query;
  if (isSearch(query) || !state?.every((name) => !isClosedState(name))) return false;
  if (state.every(isHeldState)) return false;
  const projects = project === undefined ? [...board.projects.keys()] : [project];
  const counts = projects.flatMap((name) => state.map((word) => board.openAs(name, word)));
  return counts.reduce((sum, count) => sum + count, 0) < RARE * board.tasks.size;
}

function storedPage(store: Reads, query: TasksQuery): Promise<Page<TaskRecord>> {
  const { project, state, type, text, branch, link, after, limit } = query;
  return store.tasks({
    limit,
    ...(project !== undefined && { project }),
    ...(state !== undefined && { states: state }),
    ...(type !== undefined && { type }),
    ...(text !== undefined && { text }),
    ...(branch !== undefined && { branch }),
    ...(link !== undefined && { link }),
    ...(after !== undefined && { before: taskIn(after) }),
  });
}

/** Reads the tasks found in memory from the store, to show only what is stored. */
async function openPage({ board, store }: Hall, query: TasksQuery): Promise<Page<TaskRecord>> {
  const found = await filterInBatches(board.tasks.values(), wanting(query));
  const ids = found.map(({ id }) => id).sort((a, b) => b - a);
  const page = ids.slice(0, query.limit);
  const records = await store.tasksById(page);
  return {
    rows: records
      .filter(({ task }) => query.state?.includes(task.state.is))
      .toSorted((a, b) => b.task.id - a.task.id),
    next: ids.length > query.limit ? page.at(-1) : undefined,
  };
}

function wanting({ project, state, type, after }: TasksQuery): (task: Task) => boolean {
  const states = new Set(state);
  const before = after === undefined ? Number.POSITIVE_INFINITY : taskIn(after);
  return (task) => {
    if (task.id >= before || !states.has(task.state.is)) return false;
    if (project !== undefined && task.project !== project) return false;
    return type === undefined || task.type === type;
  };
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
