import { type Cell, type Dialect, type RunQuery, TABLE_ITSELF } from './dialect.ts';

/** Rows per query: few statements, and no list that grows with the table. */
export const PIECE = 5_000;

/**
 * A whole table in key order, piece by piece. The statement selects the key first, filters for keys
 * above its one placeholder and takes `PIECE` of them.
 */
export async function* pieces<Cells extends readonly [number, ...Cell[]]>(
  runQuery: RunQuery,
  sql: string,
): AsyncGenerator<readonly Cells[]> {
  let rows = await runQuery<Cells>(sql, [0]);
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    yield rows;
    if (rows.length < PIECE) return;
    rows = await runQuery<Cells>(sql, [last[0]]);
  }
}

interface OpenRows {
  readonly table: 'thread' | 'task';
  readonly columns: readonly string[];
  readonly isOpen: string;
  /** The index that has only the open rows. */
  readonly index: string;
}

/**
 * The open rows of a table in id order, piece by piece. If nearly all rows are open, walking the table
 * is a quarter faster than walking the index; if few are, it could take for ever. Ids are event
 * numbers, so their spacing tells which.
 */
export async function* openPieces<Cells extends readonly [number, ...Cell[]]>(
  dialect: Dialect,
  runQuery: RunQuery,
  { table, columns, isOpen, index }: OpenRows,
): AsyncGenerator<readonly Cells[]> {
  const select = `SELECT ${columns.join(', ')} FROM ${table}`;
  const range = `WHERE ${isOpen} AND id > ? AND id <= ? ORDER BY id`;
  const bound = `SELECT id FROM ${table}${dialect.along(index)}
    WHERE ${isOpen} AND id > ? ORDER BY id LIMIT 1 OFFSET ${PIECE - 1}`;
  let after = 0;
  for (;;) {
    const [last] = await runQuery<readonly [number]>(bound, [after]);
    const end = last?.[0] ?? Number.MAX_SAFE_INTEGER;
    const along = dialect.along(end - after > PIECE * SPARSE ? index : TABLE_ITSELF);
    yield await runQuery<Cells>(`${select}${along} ${range}`, [after, end]);
    if (!last) return;
    after = end;
  }
}

/** A task that was worked on left about this many events. */
const SPARSE = 6;
