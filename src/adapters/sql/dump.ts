import type { RunQuery } from './dialect.ts';
import { type DumpLine, dumpLine } from './dump-format.ts';
import {
  type NoteCells,
  noteFrom,
  type RunCells,
  runFrom,
  type WorkerCells,
  workerFrom,
} from './run-columns.ts';
import { PIECE, pieces } from './scan-in-batches.ts';
import { type SettingsCells, settingsRows } from './settings-columns.ts';
import { columnsOf, TABLES, type TableName } from './tables.ts';
import { type TaskCells, taskFrom } from './task-columns.ts';
import { type ThreadCells, threadFrom } from './thread-columns.ts';

/** Every row that the events fold into, table by table and in key order. */
export async function* dumpTables(runQuery: RunQuery): AsyncGenerator<DumpLine> {
  const settings = await runQuery<SettingsCells>(
    `SELECT ${columnsOf('settings').join(', ')} FROM settings`,
    [],
  );
  for (const row of settingsRows(settings)) yield dumpLine(row, NO_WORDS);
  for await (const cells of all<ThreadCells>(runQuery, 'thread')) {
    const row = threadFrom(cells);
    yield dumpLine({ table: 'thread', key: row.id, row }, { title: cells[7] });
  }
  yield* dumpTasks(runQuery);
  for await (const cells of all<WorkerCells>(runQuery, 'worker')) {
    const row = workerFrom(cells);
    yield dumpLine({ table: 'worker', key: row.id, row }, NO_WORDS);
  }
  for await (const cells of all<RunCells>(runQuery, 'run')) {
    const row = runFrom(cells);
    yield dumpLine({ table: 'run', key: row.id, row }, NO_WORDS);
  }
  for await (const cells of all<NoteCells>(runQuery, 'note')) {
    const row = noteFrom(cells);
    yield dumpLine({ table: 'note', key: row.seq, row }, NO_WORDS);
  }
}

const NO_WORDS = { title: '' };

async function* all<Cells extends ThreadCells | WorkerCells | RunCells | NoteCells>(
  runQuery: RunQuery,
  table: TableName,
): AsyncGenerator<Cells> {
  const [key] = TABLES[table].key;
  const sql = `SELECT ${columnsOf(table).join(', ')} FROM ${table}
    WHERE ${key} > ? ORDER BY ${key} LIMIT ${PIECE}`;
  for await (const rows of pieces<Cells>(runQuery, sql)) yield* rows;
}

async function* dumpTasks(runQuery: RunQuery): AsyncGenerator<DumpLine> {
  const columns = columnsOf('task').map((column) => `task.${column}`);
  const sql = `SELECT ${columns.join(', ')}, task_text.body
    FROM task LEFT JOIN task_text ON task_text.id = task.id
    WHERE task.id > ? ORDER BY task.id LIMIT ${PIECE}`;
  for await (const rows of pieces<readonly [...TaskCells, string | null]>(runQuery, sql)) {
    for (const cells of rows) {
      const row = taskFrom(cells);
      const body = cells[14];
      const texts = { title: cells[12], body: body === null ? '' : body };
      yield dumpLine({ table: 'task', key: row.id, row }, texts);
    }
  }
}
