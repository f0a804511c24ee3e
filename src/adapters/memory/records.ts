import type { TaskId, ThreadId } from '../../domain/ids.ts';
import { stateHeldBy } from '../../domain/run.ts';
import { isClosed } from '../../domain/task.ts';
import type { Page, TaskQuery, TaskRecord, ThreadQuery, ThreadRecord } from '../../ports/store.ts';
import { searchTerms } from '../sql/search-index.ts';
import { SCAN } from '../sql/task-page.ts';
import type { MemorySearchIndex } from './search-index.ts';
import type { MemoryTables } from './tables.ts';

/** A task together with the run that holds it. */
export function taskIn(tables: MemoryTables, id: TaskId): TaskRecord | undefined {
  const record = tables.tasks.get(id);
  const run = tables.activeRuns.get(id);
  if (!record || !run || isClosed(record.task.state)) return record;
  return { ...record, task: { ...record.task, state: stateHeldBy(run) } };
}

/** A thread with its tasks that have not ended. */
export function threadIn(tables: MemoryTables, id: ThreadId): ThreadRecord | undefined {
  const record = tables.threads.get(id);
  if (!record) return undefined;
  const tasks = (tables.tasksByThread.get(id) ?? []).filter((task) => isOpenTask(tables, task));
  return { ...record, thread: { ...record.thread, tasks } };
}

function isOpenTask(tables: MemoryTables, id: TaskId): boolean {
  const record = tables.tasks.get(id);
  return record !== undefined && !isClosed(record.task.state);
}

export function taskPage(
  tables: MemoryTables,
  search: MemorySearchIndex,
  query: TaskQuery,
): Page<TaskRecord> {
  const terms = searchTerms(query);
  const before = query.before ?? Number.MAX_SAFE_INTEGER;
  const ids = [...tables.tasks.keys()]
    .filter((id) => id < before && (terms === undefined || search.has(id, terms)))
    .reverse();
  const rows: TaskRecord[] = [];
  for (const [scanned, id] of ids.entries()) {
    if (scanned === SCAN) return { rows, next: ids[scanned - 1] };
    const record = taskIn(tables, id);
    if (!record || !matches(record, query)) continue;
    if (rows.length === query.limit) return { rows, next: rows.at(-1)?.task.id };
    rows.push(record);
  }
  return { rows, next: undefined };
}

function matches({ task }: TaskRecord, query: TaskQuery): boolean {
  const { project, states, type } = query;
  if (project !== undefined && task.project !== project) return false;
  if (states !== undefined && !states.includes(task.state.is)) return false;
  return type === undefined || task.type === type;
}

export function threadPage(tables: MemoryTables, query: ThreadQuery): Page<ThreadRecord> {
  const { project, before = Number.MAX_SAFE_INTEGER, limit } = query;
  const found = [...tables.threads.values()]
    .filter(({ thread }) => thread.id < before)
    .filter(({ thread }) => project === undefined || thread.project === project)
    .reverse();
  const rows = found.slice(0, limit).flatMap(({ thread }) => threadIn(tables, thread.id) ?? []);
  return { rows, next: found.length > limit ? rows.at(-1)?.thread.id : undefined };
}
