import type Database from 'better-sqlite3';
import type { Row } from '../../domain/row.ts';
import type { Run } from '../../domain/run.ts';
import { isOpen } from '../../domain/thread.ts';
import { GroupRefused } from '../../ports/store.ts';
import { cellsOf } from '../sql/check-row.ts';
import type { Cell } from '../sql/dialect.ts';
import type { SettingsRow } from '../sql/settings-columns.ts';
import { storable } from '../sql/stored-text.ts';
import { columnsOf, insertInto, orReplace, updateOf, upsertInto } from '../sql/tables.ts';
import type { TaskCells } from '../sql/task-columns.ts';
import type { ThreadCells } from '../sql/thread-columns.ts';

export type Prepare = (sql: string) => Database.Statement<Cell[], unknown>;

/** A row, and its cells without its texts. */
export interface RowWithCells {
  readonly row: Row;
  readonly cells: readonly Cell[];
}

export function withCells(row: Row): RowWithCells {
  return { row, cells: cellsOf(row) };
}

/**
 * Writes one row. SQLite rewrites every index that includes a column the statement sets, even if the
 * value stays the same, so each statement sets as few columns as possible.
 */
export function createRowWriter(prepare: Prepare): (placed: RowWithCells) => void {
  const worker = prepare(upsertInto('worker'));
  const note = prepare(insertInto('note'));
  const putSettings = createSettingsWriter(prepare);
  const putThread = createThreadWriter(prepare);
  const putTask = createTaskWriter(prepare);
  const putRun = createRunWriter(prepare);

  return ({ row, cells }) => {
    if (row.table === 'run') putRun(row.row, cells);
    else if (row.table === 'task') putTask(row, cells);
    else if (row.table === 'thread') putThread(row, cells);
    else if (row.table === 'worker') worker.run(...cells);
    else if (row.table === 'note') note.run(...cells);
    else putSettings(row, cells);
  };
}

function createSettingsWriter(
  prepare: Prepare,
): (row: SettingsRow, cells: readonly Cell[]) => void {
  const put = prepare(upsertInto('settings'));
  const drop = prepare('DELETE FROM settings WHERE kind = ? AND key = ?');
  return ({ table, key, row }, cells) => {
    if (row === null) drop.run(table, key);
    else put.run(...cells);
  };
}

/** The task, the worker and the project of a run never change. */
function createRunWriter(prepare: Prepare): (run: Run, cells: readonly Cell[]) => void {
  const insert = insertInto('run');
  const open = prepare(`${insert} ${orReplace('run', ['task', 'worker', 'project', 'ended'])}`);
  const ended = prepare(`${insert} ${orReplace('run', ['task', 'worker', 'project'])}`);
  return (run, cells) => {
    const statement = run.ending === null ? open : ended;
    statement.run(...cells);
  };
}

type ThreadRow = Extract<Row, { table: 'thread' }>;

/** A thread stays in its project, and an open thread was usually open before. */
function createThreadWriter(prepare: Prepare): (row: ThreadRow, cells: readonly Cell[]) => void {
  const upsert = prepare(upsertInto('thread'));
  const change = prepare(
    `${updateOf('thread', ['parent', 'size', 'agent', 'facts'])} AND state = 'open'`,
  );
  const move = prepare(updateOf('thread', ['state', 'parent', 'size', 'agent', 'facts']));

  return ({ row, text }, cells) => {
    const [id, project, state, parent, size, agent, openedAt, , facts] = cells as ThreadCells;
    if (text) {
      const title = storable(text.title);
      upsert.run(id, project, state, parent, size, agent, openedAt, title, facts);
      return;
    }
    if (isOpen(row) && change.run(parent, size, agent, facts, id).changes === 1) return;
    if (move.run(state, parent, size, agent, facts, id).changes === 1) return;
    throw new GroupRefused(`the group was not written: thread ${id} has no title`);
  };
}

type TaskRow = Extract<Row, { table: 'task' }>;

/** A task stays in its thread and project, and a closed task never reopens. */
function createTaskWriter(prepare: Prepare): (row: TaskRow, cells: readonly Cell[]) => void {
  const columns = ['state', 'since', 'skill', 'type', 'instance', 'agent', 'facts'];
  const upsert = prepare(upsertInto('task'));
  const change = prepare(updateOf('task', columns));
  const close = prepare(updateOf('task', ['closed', ...columns]));
  const putBody = createBodyWriter(prepare);

  function putChanged(cells: TaskCells): void {
    const [id, , , state, since, skill, type, instance, agent, , , closed, , facts] = cells;
    const values = [state, since, skill, type, instance, agent, facts, id];
    const { changes } = closed === 1 ? close.run(closed, ...values) : change.run(...values);
    if (changes === 1) return;
    throw new GroupRefused(`the group was not written: task ${id} has no title`);
  }

  return ({ key, text }, cells) => {
    if (text?.title === undefined) putChanged(cells as TaskCells);
    else upsert.run(...cells.with(TITLE, storable(text.title)));
    if (text?.body !== undefined) putBody(key, storable(text.body));
  };
}

const TITLE = columnsOf('task').indexOf('title');

function createBodyWriter(prepare: Prepare): (id: number, body: string) => void {
  const put = prepare(upsertInto('task_text'));
  const drop = prepare('DELETE FROM task_text WHERE id = ?');
  return (id, body) => {
    if (body === '') drop.run(id);
    else put.run(id, body);
  };
}
