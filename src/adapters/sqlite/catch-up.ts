import { Board } from '../../domain/board.ts';
import type { Recorded } from '../../domain/event.ts';
import { evolve } from '../../domain/evolve.ts';
import { place, settleLoaded } from '../../domain/place.ts';
import { mergeRows, type Row } from '../../domain/row.ts';
import { type Cell, SQLITE } from '../sql/flavour.ts';
import { loadOpen } from '../sql/load.ts';
import { createReads } from '../sql/reads.ts';
import type { Connection } from './connection.ts';
import { FIND_BY_TASK, FOLDED, MARK_FOLDED } from './folded.ts';
import { createRowWriter, placed } from './put-row.ts';
import { askOf } from './snapshot.ts';

const PIECE = 1_000;

/** After a crash the tables may end before the log does: folds the rest into them. */
export async function catchUp(db: Connection): Promise<void> {
  const ask = askOf(db);
  const reads = createReads(SQLITE, ask);
  const [mark] = await ask<readonly [string]>(FOLDED, []);
  const { seq: end } = await reads.head();
  let folded = Number(mark?.[0] ?? 0);
  if (folded >= end) return;
  const board = new Board();
  await loadOpen(
    { flavour: SQLITE, ask },
    (row) => place(board, row),
    () => undefined,
  );
  settleLoaded(board);
  const write = createCatchUp(db);
  while (folded < end) {
    const { rows: events } = await reads.events({ after: folded, limit: PIECE });
    const rows = events.flatMap((recorded: Recorded) => [...evolve(board, recorded)]);
    board.commit();
    folded = events.at(-1)?.seq ?? end;
    write(mergeRows(rows), folded);
  }
}

function createCatchUp(db: Connection): (rows: readonly Row[], folded: number) => void {
  const put = createRowWriter((sql) => db.prepare<Cell[], unknown>(sql));
  const findByTask = db.prepare(FIND_BY_TASK);
  const mark = db.prepare(MARK_FOLDED);
  return db.transaction((rows: readonly Row[], folded: number) => {
    for (const row of rows) put(placed(row));
    findByTask.run(folded);
    mark.run(String(folded));
  });
}
