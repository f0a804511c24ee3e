import type { Row } from '../../domain/row.ts';
import type { Cell } from './flavour.ts';
import { isKept, keptCells } from './kept-cells.ts';
import { noteCells, runCells, workerCells } from './run-cells.ts';
import { type Column, TABLES, type TableName } from './tables.ts';
import { taskCells } from './task-cells.ts';
import { threadCells } from './thread-cells.ts';

/** What a database would say about a row whose values are of the wrong kind, for stores that are none. */
export function faultInRow(row: Row): string | undefined {
  const [table, cells] = cellsOf(row);
  const wrong = TABLES[table].columns.find((column, n) => !fits(column, cells[n]));
  return wrong && `${row.table} ${row.key} has ${wrong.name} of the wrong kind`;
}

function cellsOf(row: Row): readonly [TableName, readonly Cell[]] {
  if (isKept(row)) return ['kept', row.row === null ? [row.table, row.key, ''] : keptCells(row)];
  if (row.table === 'task') return ['task', taskCells(row.row, '')];
  if (row.table === 'thread') return ['thread', threadCells(row.row, '')];
  if (row.table === 'run') return ['run', runCells(row.row)];
  if (row.table === 'worker') return ['worker', workerCells(row.row)];
  return ['note', noteCells(row.row)];
}

function fits({ kind, optional }: Column, cell: Cell | undefined): boolean {
  if (cell === null) return optional;
  return kind === 'number' || kind === 'flag'
    ? Number.isSafeInteger(cell)
    : typeof cell === 'string';
}
