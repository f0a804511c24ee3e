import { Board } from '../../domain/board.ts';
import type { Recorded } from '../../domain/event.ts';
import { evolve } from '../../domain/evolve.ts';
import { finishLoading, loadRow } from '../../domain/load-row.ts';
import { mergeRows, type Row } from '../../domain/row.ts';
import { type Cell, type RunQuery, SQLITE } from '../sql/dialect.ts';
import { loadOpen } from '../sql/load-open-work.ts';
import { createReads } from '../sql/reads.ts';
import { upsertInto } from '../sql/tables.ts';
import type { Connection } from './connection.ts';
import { FIND_BY_TASK, FOLDED, FOLDED_PAST, MARK_FOLDED } from './fold-mark.ts';
import { createRowWriter, type Prepare, withCells } from './put-row.ts';
import { queryRunnerOf } from './snapshot.ts';

const PIECE = 1_000;

/** After a crash the tables may lag behind the log: folds the rest into them. */
export async function catchUp(db: Connection): Promise<void> {
  const runQuery = queryRunnerOf(db);
  const reads = createReads(SQLITE, runQuery);
  const [mark] = await runQuery<readonly [string]>(FOLDED, []);
  const { seq: end } = await reads.head();
  const from = Number(mark?.[0] ?? 0);
  if (from >= end) return;
  // Folding an event twice would count it twice; folding everything again makes the tables correct.
  const isPast = (await runQuery(FOLDED_PAST, [from, from])).length > 0;
  const board = isPast ? new Board() : await boardIn(runQuery);
  const write = createCatchUp(db);
  for (let folded = isPast ? 0 : from; folded < end; ) {
    const { rows: events } = await reads.events({ after: folded, limit: PIECE });
    const rows = events.flatMap((recorded: Recorded) => [...evolve(board, recorded)]);
    board.commit();
    folded = events.at(-1)?.seq ?? end;
    write(mergeRows(rows), folded);
  }
}

async function boardIn(runQuery: RunQuery): Promise<Board> {
  const board = new Board();
  await loadOpen(
    { dialect: SQLITE, runQuery },
    (row) => loadRow(board, row),
    () => undefined,
  );
  finishLoading(board);
  return board;
}

/** Writes rows that may exist already; otherwise a note is written only once. */
function createCatchUp(db: Connection): (rows: readonly Row[], folded: number) => void {
  const prepare: Prepare = (sql) => db.prepare<Cell[], unknown>(sql);
  const put = createRowWriter(prepare);
  const putNote = prepare(upsertInto('note'));
  const findByTask = db.prepare(FIND_BY_TASK);
  const mark = db.prepare(MARK_FOLDED);
  return db.transaction((rows: readonly Row[], folded: number) => {
    for (const row of rows.map(withCells)) {
      if (row.row.table === 'note') putNote.run(...row.cells);
      else put(row);
    }
    findByTask.run(folded);
    mark.run(String(folded));
  });
}
