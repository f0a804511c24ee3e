import type { RunId, TaskId, ThreadId } from '../../domain/ids.ts';
import { type Run, stateHeldBy } from '../../domain/run.ts';
import type { TaskRecord, TaskText } from '../../ports/store.ts';
import type { Dialect, RunQuery } from './dialect.ts';
import { columnsOf } from './tables.ts';
import { type TaskCells, taskFrom } from './task-columns.ts';

export type RecordCells = readonly [
  ...TaskCells,
  body: string | null,
  run: number | null,
  runFacts: string | null,
];

/** The columns of a record: one statement, so that a task and its run are read at one moment. */
export const RECORD = [
  ...columnsOf('task').map((column) => `task.${column}`),
  'task_text.body',
  'run.id',
  'run.facts',
].join(', ');

/** Joins for a task's record. */
export const WITH_TASK = `LEFT JOIN task_text ON task_text.id = task.id
  LEFT JOIN run ON run.task = task.id AND run.ended = 0`;

export function recordFrom(cells: RecordCells): TaskRecord {
  const task = taskFrom(cells);
  const body = cells[14];
  const texts = { title: cells[12], body: body === null ? '' : body };
  const closed = cells[11] === 1;
  const run = cells[15];
  const facts = cells[16];
  if (closed || run === null || facts === null) return { task, ...texts };
  const state = stateHeldBy({ ...NOT_STARTED, ...JSON.parse(facts), id: run as RunId });
  return { task: { ...task, state }, ...texts };
}

const NOT_STARTED: Pick<Run, 'startedAt' | 'awaitingApprovalSince'> = {
  startedAt: null,
  awaitingApprovalSince: null,
};

export async function tasksById(
  dialect: Dialect,
  runQuery: RunQuery,
  ids: readonly TaskId[],
): Promise<readonly TaskRecord[]> {
  if (ids.length === 0) return [];
  const sql = `SELECT ${RECORD} FROM task ${WITH_TASK} WHERE ${dialect.among('task.id')}`;
  const cells = await runQuery<RecordCells>(sql, [dialect.list(ids)]);
  const records = new Map(cells.map((row) => [row[0] as TaskId, recordFrom(row)]));
  return ids.map((id) => records.get(id)).filter((record) => record !== undefined);
}

export async function taskTexts(
  dialect: Dialect,
  runQuery: RunQuery,
  ids: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, TaskText>> {
  if (ids.length === 0) return new Map();
  const sql = `SELECT task.id, task.title, task_text.body FROM task
    LEFT JOIN task_text ON task_text.id = task.id WHERE ${dialect.among('task.id')}`;
  const cells = await runQuery<readonly [TaskId, string, string | null]>(sql, [dialect.list(ids)]);
  return new Map(cells.map(([id, title, body]) => [id, { title, body: body ?? '' }]));
}

export async function tasksOfThread(
  runQuery: RunQuery,
  id: ThreadId,
): Promise<readonly TaskRecord[]> {
  const sql = `SELECT ${RECORD} FROM task ${WITH_TASK} WHERE task.thread = ? ORDER BY task.id`;
  return (await runQuery<RecordCells>(sql, [id])).map(recordFrom);
}
