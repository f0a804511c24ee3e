import { type Column, columnsOf, orReplace, TABLES, type TableName } from '../sql/tables.ts';
import { CELL_TYPES, columnArray } from './column-array.ts';
import type { Cells, Statement, Value } from './connection.ts';
import { CHANNEL } from './listener.ts';
import { createNames } from './statement-names.ts';

/** Rows of one table and the operation on them. */
export interface Section {
  readonly table: TableName;
  readonly how: How;
  readonly rows: readonly Cells[];
}

type How =
  /** New rows; a store that has one already refuses. */
  | 'insert'
  | 'replace'
  /** Like replace, but keeps the title of the existing row. */
  | 'renew'
  /** Only the key cells are given. */
  | 'remove';

/** The head that the group requires, and the head after it is written. */
interface Move {
  readonly epoch: number;
  readonly appendNumber: number;
  readonly from: { readonly seq: number; readonly link: string };
  readonly to: { readonly seq: number; readonly link: string };
}

type AppendStatement = (move: Move, sections: readonly Section[]) => Statement;

/**
 * Writes a whole group in one statement, which is its own transaction: one round trip, and never half
 * done. Every part checks whether the head moved; if it did not, none writes.
 */
export function createAppendStatement(): AppendStatement {
  const nameOf = createNames('append');

  return ({ epoch, appendNumber, from, to }, sections) => {
    const present = sections.filter(({ rows }) => rows.length > 0);
    const text = textFor(present);
    const move: Value[] = [to.seq, to.link, epoch, appendNumber, from.seq, from.link];
    return { name: nameOf(text), text, values: [...move, ...present.flatMap(columnArrays)] };
  };
}

const MOVE = `UPDATE head SET seq = $1, link = $2, append_number = append_number + 1, heartbeat = heartbeat + 1
  WHERE append_number = $4 AND epoch = $3 AND seq = $5 AND link = $6
  RETURNING seq`;
const MOVE_VALUES = 6;

function textFor(sections: readonly Section[]): string {
  let place = MOVE_VALUES;
  const parts = sections.map((section, n) => {
    const part = `part${n} AS (${partOf(section, place)})`;
    place += inputColumns(section).length;
    return part;
  });
  return `WITH ${[`moved AS (${MOVE})`, ...parts].join(',\n')}
SELECT pg_notify('${CHANNEL}', seq::text) FROM moved`;
}

function partOf(section: Section, place: number): string {
  const { table, how } = section;
  const input = inputRows(section, place);
  if (how === 'remove') {
    const same = TABLES[table].key.map((column) => `${table}.${column} = given.${column}`);
    return `DELETE FROM ${table} USING ${input} WHERE ${same.join(' AND ')} AND ${HAS_MOVED}`;
  }
  const columns = columnsOf(table);
  const cells = columns.map((column) => cellOf(section, column));
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${cells.join(', ')}
  FROM ${input} WHERE ${HAS_MOVED} ${onConflict(table, how)}`;
}

/** The rows, assembled from one array per column. */
function inputRows(section: Section, place: number): string {
  const columns = inputColumns(section);
  const arrays = columns.map(({ kind }, n) => `$${place + n + 1}::${CELL_TYPES[kind].name}[]`);
  const names = columns.map(({ name }) => name);
  return `unnest(${arrays.join(', ')}) AS given(${names.join(', ')})`;
}

const HAS_MOVED = 'EXISTS (SELECT FROM moved)';

/**
 * The few events without a row of their task take the project from the task table. A row that comes
 * without its title has one already; if it has none, null is refused.
 */
function cellOf({ table, how }: Section, column: string): string {
  if (table === 'event' && column === 'project') {
    return 'COALESCE(given.project, (SELECT task.project FROM task WHERE task.id = given.task))';
  }
  if (how === 'renew' && column === 'title') {
    return `(SELECT old.title FROM ${table} AS old WHERE old.id = given.id)`;
  }
  return `given.${column}`;
}

function onConflict(table: TableName, how: How): string {
  if (how === 'insert') return '';
  return how === 'renew' ? orReplace(table, ['title']) : orReplace(table);
}

function inputColumns({ table, how }: Section): readonly Column[] {
  const { columns, key } = TABLES[table];
  return how === 'remove' ? columns.filter(({ name }) => key.includes(name)) : columns;
}

function columnArrays(section: Section): readonly Buffer[] {
  return inputColumns(section).map(({ kind }, n) =>
    columnArray(
      kind,
      section.rows.map((cells) => cells[n]),
    ),
  );
}
