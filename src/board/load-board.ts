import type { Board } from '../domain/board.ts';
import { place, settleLoaded } from '../domain/place.ts';
import type { Head, Heartbeat, Store } from '../ports/store.ts';

/** A million rows would leave as many steps to undo, though a load is never undone. */
const ROWS_BETWEEN_KEEPS = 4_096;

/** Fills an empty board with the open work of the store. */
export async function loadBoard(
  store: Pick<Store, 'load'>,
  board: Board,
): Promise<{ readonly head: Head; readonly pulses: readonly Heartbeat[] }> {
  const pulses: Heartbeat[] = [];
  let rows = 0;
  const head = await store.load(
    (row) => {
      place(board, row);
      rows += 1;
      if (rows % ROWS_BETWEEN_KEEPS === 0) board.journal.keep();
    },
    (pulse) => pulses.push(pulse),
  );
  board.journal.keep();
  settleLoaded(board);
  board.advance(head.seq);
  board.commit();
  return { head, pulses };
}
