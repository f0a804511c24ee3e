import { Board } from '../domain/board.ts';
import { evolve } from '../domain/evolve.ts';
import type { Instant } from '../domain/ids.ts';
import type { Reads } from '../ports/store.ts';

/** Few enough that others are served in between. */
const CHUNK = 500;

type PastBoards = (at: Instant, isGone: () => boolean) => Promise<Board>;

/** Shows the board as it was. A fold may take long, so there is never more than one. */
export function createTimeTravel(store: Pick<Reads, 'events' | 'seqAt'>): PastBoards {
  let before: Promise<void> = Promise.resolve();
  return (at, isGone) => {
    const fold = () => boardAt(store, at, isGone);
    const mine = before.then(fold);
    // Only that it is over: its board may be as large as the present one.
    before = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  };
}

/** Made by folding the events up to then. */
async function boardAt(
  store: Pick<Reads, 'events' | 'seqAt'>,
  at: Instant,
  isGone: () => boolean,
): Promise<Board> {
  const board = new Board();
  const last = await store.seqAt(at);
  while (board.seq < last && !isGone()) {
    const { rows } = await store.events({ after: board.seq, before: last + 1, limit: CHUNK });
    if (rows.length === 0) break;
    for (const recorded of rows) evolve(board, recorded);
    board.commit();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return board;
}
