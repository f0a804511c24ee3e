import type { RunId, TaskId, ThreadId, WorkerId } from '../../domain/ids.ts';
import type { Note, Row } from '../../domain/row.ts';
import type { Run } from '../../domain/run.ts';
import type { Worker } from '../../domain/worker.ts';
import type { TaskRecord, ThreadRecord } from '../../ports/store.ts';
import { type DumpLine, dumpLine } from '../sql/dump-format.ts';
import type { FreshTables } from '../sql/rebuild.ts';
import { isSettingsRow, SETTINGS, type SettingsRow } from '../sql/settings-columns.ts';
import { storable } from '../sql/stored-text.ts';
import { storedTask } from '../sql/task-columns.ts';
import { storedThread } from '../sql/thread-columns.ts';

/** The tables that events fold into. Numeric keys are in order, as ids only grow. */
export interface MemoryTables extends FreshTables {
  readonly settings: ReadonlyMap<string, SettingsRow>;
  readonly threads: ReadonlyMap<ThreadId, ThreadRecord>;
  readonly tasks: ReadonlyMap<TaskId, TaskRecord>;
  readonly workers: ReadonlyMap<WorkerId, Worker>;
  readonly runs: ReadonlyMap<RunId, Run>;
  readonly notes: ReadonlyMap<number, Note>;
  /** The run that holds a task now, and the tasks of a thread, including ended ones. */
  readonly activeRuns: ReadonlyMap<TaskId, Run>;
  readonly tasksByThread: ReadonlyMap<ThreadId, readonly TaskId[]>;
  /** Why a row cannot be stored, as text. */
  faultIn(row: Row): string | undefined;
}

export function createMemoryTables(): MemoryTables {
  const settings = new Map<string, SettingsRow>();
  const threads = new Map<ThreadId, ThreadRecord>();
  const tasks = new Map<TaskId, TaskRecord>();
  const workers = new Map<WorkerId, Worker>();
  const runs = new Map<RunId, Run>();
  const notes = new Map<number, Note>();
  const activeRuns = new Map<TaskId, Run>();
  const tasksByThread = new Map<ThreadId, TaskId[]>();

  function putTask(row: Extract<Row, { table: 'task' }>): void {
    const before = tasks.get(row.key);
    tasks.set(row.key, taskRecord(before, row));
    if (before) return;
    const others = tasksByThread.get(row.row.thread);
    if (others) others.push(row.key);
    else tasksByThread.set(row.row.thread, [row.key]);
  }

  function putRun(run: Run): void {
    runs.set(run.id, run);
    if (run.ending === null) activeRuns.set(run.task, run);
    else if (activeRuns.get(run.task)?.id === run.id) activeRuns.delete(run.task);
  }

  function put(row: Row): void {
    if (isSettingsRow(row)) putSettings(settings, row);
    else if (row.table === 'thread') threads.set(row.key, threadRecord(threads.get(row.key), row));
    else if (row.table === 'task') putTask(row);
    else if (row.table === 'worker') workers.set(row.key, row.row);
    else if (row.table === 'run') putRun(row.row);
    else notes.set(row.key, row.row);
  }

  function faultIn(row: Row): string | undefined {
    if (row.table === 'task' && row.text?.title === undefined && !tasks.has(row.key)) {
      return `task ${row.key} has no title`;
    }
    if (row.table === 'thread' && row.text === undefined && !threads.has(row.key)) {
      return `thread ${row.key} has no title`;
    }
    return undefined;
  }

  const tables = { settings, threads, tasks, workers, runs, notes, activeRuns, tasksByThread };
  return { ...tables, put, faultIn, dump: () => dumpMemory(tables) };
}

function putSettings(settings: Map<string, SettingsRow>, row: SettingsRow): void {
  const name = `${row.table} ${row.key}`;
  if (row.row === null) settings.delete(name);
  else settings.set(name, row);
}

function threadRecord(
  before: ThreadRecord | undefined,
  { row, text }: Extract<Row, { table: 'thread' }>,
): ThreadRecord {
  const title = text?.title ?? before?.title ?? '';
  return { thread: storedThread(row), title: storable(title) };
}

function taskRecord(
  before: TaskRecord | undefined,
  { row, text }: Extract<Row, { table: 'task' }>,
): TaskRecord {
  const title = text?.title ?? before?.title ?? '';
  const body = text?.body ?? before?.body ?? '';
  return { task: storedTask(row), title: storable(title), body: storable(body) };
}

/** In loading order. */
export function settingsInOrder(
  settings: ReadonlyMap<string, SettingsRow>,
): readonly SettingsRow[] {
  const kinds: readonly string[] = SETTINGS;
  return [...settings.values()].sort((a, b) => {
    if (a.table !== b.table) return kinds.indexOf(a.table) - kinds.indexOf(b.table);
    return a.key < b.key ? -1 : 1;
  });
}

type Tables = Omit<MemoryTables, keyof FreshTables | 'faultIn'>;
const NO_TEXT = { title: '' };

async function* dumpMemory(tables: Tables): AsyncGenerator<DumpLine> {
  for (const row of settingsInOrder(tables.settings)) yield dumpLine(row, NO_TEXT);
  for (const { thread, title } of tables.threads.values()) {
    yield dumpLine({ table: 'thread', key: thread.id, row: thread }, { title });
  }
  for (const { task, title, body } of tables.tasks.values()) {
    yield dumpLine({ table: 'task', key: task.id, row: task }, { title, body });
  }
  for (const row of tables.workers.values()) {
    yield dumpLine({ table: 'worker', key: row.id, row }, NO_TEXT);
  }
  for (const row of tables.runs.values()) {
    yield dumpLine({ table: 'run', key: row.id, row }, NO_TEXT);
  }
  for (const row of tables.notes.values()) {
    yield dumpLine({ table: 'note', key: row.seq, row }, NO_TEXT);
  }
}
