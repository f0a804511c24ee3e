import type { Row } from '../../domain/row.ts';
import type { Cell } from './dialect.ts';
import { noteCells, runCells, workerCells } from './run-columns.ts';
import { isSettingsRow, settingsCells } from './settings-columns.ts';
import { type Column, TABLES, type TableName } from './tables.ts';
import { taskCells } from './task-columns.ts';
import { threadCells } from './thread-columns.ts';

/** The fault a database would find in a row with values of the wrong kind, before sending the row. */
export function faultInRow(row: Row, cells = cellsOf(row)): string | undefined {
  const { columns } = TABLES[tableOf(row)];
  for (let n = 0; n < columns.length; n += 1) {
    const column = columns[n] as Column;
    if (!fits(column, cells[n]))
      return `${row.table} ${row.key} has ${column.name} of the wrong type`;
  }
  return undefined;
}

/** The cells of a row, with empty texts in place of those that come with it or are already stored. */
export function cellsOf(row: Row): readonly Cell[] {
  if (isSettingsRow(row)) return row.row === null ? [row.table, row.key, ''] : settingsCells(row);
  switch (row.table) {
    case 'task':
      return taskCells(row.row, '');
    case 'thread':
      return threadCells(row.row, '');
    case 'run':
      return runCells(row.row);
    case 'worker':
      return workerCells(row.row);
    case 'note':
      return noteCells(row.row);
  }
}

function tableOf(row: Row): TableName {
  return isSettingsRow(row) ? 'settings' : row.table;
}

function fits({ kind, optional }: Column, cell: Cell | undefined): boolean {
  if (cell === null) return optional;
  return kind === 'number' || kind === 'flag'
    ? Number.isSafeInteger(cell)
    : typeof cell === 'string';
}
