import type Database from 'better-sqlite3';
import type { Row } from '../../domain/row.ts';
import type { Run } from '../../domain/run.ts';
import { isOpen } from '../../domain/thread.ts';
import { GroupRefused } from '../../ports/store.ts';
import type { Cell } from '../sql/flavour.ts';
import { isKept, type KeptRow, keptCells } from '../sql/kept-cells.ts';
import { noteCells, runCells, workerCells } from '../sql/run-cells.ts';
import { insertInto, orReplace, updateOf, upsertInto } from '../sql/tables.ts';
import { taskCells } from '../sql/task-cells.ts';
import { threadCells } from '../sql/thread-cells.ts';
import { storable } from '../sql/words.ts';

export type Prepare = (sql: string) => Database.Statement<Cell[], unknown>;

/**
 * Writes one row of a group. SQLite writes every index that has a column which a statement sets,
 * whether its value changes or not, so that each statement sets no more than it must: a claim with
 * the end of the claim before it touched 14 pages otherwise, and touches 10.
 */
export function createRowWriter(prepare: Prepare): (row: Row) => void {
  const worker = prepare(upsertInto('worker'));
  const note = prepare(insertInto('note'));
  const putKept = createKeptWriter(prepare);
  const putThread = createThreadWriter(prepare);
  const putTask = createTaskWriter(prepare);
  const putRun = createRunWriter(prepare);

  return (row) => {
    if (isKept(row)) putKept(row);
    else if (row.table === 'thread') putThread(row);
    else if (row.table === 'task') putTask(row);
    else if (row.table === 'run') putRun(row.row);
    else if (row.table === 'worker') worker.run(...workerCells(row.row));
    else note.run(...noteCells(row.row));
  };
}

function createKeptWriter(prepare: Prepare): (row: KeptRow) => void {
  const put = prepare(upsertInto('kept'));
  const drop = prepare('DELETE FROM kept WHERE kind = ? AND key = ?');
  return (row) => {
    const [kind, key, body] = keptCells(row);
    if (body === null) drop.run(kind, key);
    else put.run(kind, key, body);
  };
}

/** The task, the worker and the project of a run never change. */
function createRunWriter(prepare: Prepare): (run: Run) => void {
  const insert = insertInto('run');
  const open = prepare(`${insert} ${orReplace('run', ['task', 'worker', 'project', 'ended'])}`);
  const ended = prepare(`${insert} ${orReplace('run', ['task', 'worker', 'project'])}`);
  return (run) => {
    const statement = run.ending === null ? open : ended;
    statement.run(...runCells(run));
  };
}

type ThreadRow = Extract<Row, { table: 'thread' }>;

/** A thread stays in its project and under its parent. An open one mostly was open before. */
function createThreadWriter(prepare: Prepare): (row: ThreadRow) => void {
  const upsert = prepare(upsertInto('thread'));
  const change = prepare(`${updateOf('thread', ['size', 'agent', 'facts'])} AND state = 'open'`);
  const move = prepare(updateOf('thread', ['state', 'size', 'agent', 'facts']));

  return ({ row, text }) => {
    if (text) {
      upsert.run(...threadCells(row, storable(text.title)));
      return;
    }
    const [id, , state, , size, agent, , , facts] = threadCells(row, '');
    if (isOpen(row) && change.run(size, agent, facts, id).changes === 1) return;
    if (move.run(state, size, agent, facts, id).changes === 1) return;
    throw new GroupRefused(`the group was not written: thread ${id} has no title`);
  };
}

type TaskRow = Extract<Row, { table: 'task' }>;

/** A task stays in its thread and its project, and a closed one is never opened again. */
function createTaskWriter(prepare: Prepare): (row: TaskRow) => void {
  const columns = ['state', 'since', 'skill', 'type', 'instance', 'agent', 'facts'];
  const upsert = prepare(upsertInto('task'));
  const change = prepare(updateOf('task', columns));
  const close = prepare(updateOf('task', ['closed', ...columns]));
  const putBody = createBodyWriter(prepare);

  function putChanged({ row }: TaskRow): void {
    const cells = taskCells(row, '');
    const [id, , , state, since, skill, type, instance, agent, , , closed, , facts] = cells;
    const values = [state, since, skill, type, instance, agent, facts, id];
    const { changes } = closed === 1 ? close.run(closed, ...values) : change.run(...values);
    if (changes === 1) return;
    throw new GroupRefused(`the group was not written: task ${id} has no title`);
  }

  return (row) => {
    if (row.text?.title === undefined) putChanged(row);
    else upsert.run(...taskCells(row.row, storable(row.text.title)));
    if (row.text?.body !== undefined) putBody(row.key, storable(row.text.body));
  };
}

function createBodyWriter(prepare: Prepare): (id: number, body: string) => void {
  const put = prepare(upsertInto('task_text'));
  const drop = prepare('DELETE FROM task_text WHERE id = ?');
  return (id, body) => {
    if (body === '') drop.run(id);
    else put.run(id, body);
  };
}
