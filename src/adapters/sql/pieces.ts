import type { Ask, Cell } from './flavour.ts';

/** Rows asked for at once: few statements, and no list that grows with the table. */
export const PIECE = 5_000;

/**
 * A whole table in the order of its key, piece by piece. The statement selects the key first, asks
 * for keys above its one placeholder and takes `PIECE` of them.
 */
export async function* pieces<Cells extends readonly [number, ...Cell[]]>(
  ask: Ask,
  sql: string,
): AsyncGenerator<readonly Cells[]> {
  let after = 0;
  for (;;) {
    const rows = await ask<Cells>(sql, [after]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < PIECE) return;
    after = last[0];
  }
}
