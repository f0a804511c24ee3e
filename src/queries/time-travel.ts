import { Board } from '../domain/board.ts';
import { evolve } from '../domain/evolve.ts';
import type { Instant } from '../domain/ids.ts';
import type { Reads } from '../ports/store.ts';
import { ClosedWorkThen } from './closed-work-then.ts';

/** Small enough to serve other requests in between. */
const CHUNK = 500;

/** A past board, and what had ended last by then. */
export interface Past {
  readonly board: Board;
  readonly closed: ClosedWorkThen;
}

type PastBoards = (at: Instant, isGone: () => boolean) => Promise<Past>;

/** Shows the board at a past time. A fold may take long, so only one runs at a time. */
export function createTimeTravel(store: Pick<Reads, 'events' | 'seqAt'>): PastBoards {
  let before: Promise<void> = Promise.resolve();
  return (at, isGone) => {
    const fold = () => boardAt(store, at, isGone);
    const mine = before.then(fold);
    // Keep only the completion: the board may be as large as the present one.
    before = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  };
}

/** Folds the events up to that time. */
async function boardAt(
  store: Pick<Reads, 'events' | 'seqAt'>,
  at: Instant,
  isGone: () => boolean,
): Promise<Past> {
  const board = new Board();
  const closed = new ClosedWorkThen();
  const last = await store.seqAt(at);
  while (board.seq < last && !isGone()) {
    const { rows } = await store.events({ after: board.seq, before: last + 1, limit: CHUNK });
    if (rows.length === 0) break;
    for (const recorded of rows) evolve(board, recorded);
    closed.note(board);
    board.commit();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { board, closed };
}
