import type { Board } from '../domain/board.ts';
import { finishLoading, loadRow } from '../domain/load-row.ts';
import type { Head, Heartbeat, Store } from '../ports/store.ts';

/** A load is never undone, so a million rows must not leave a million undo steps. */
const ROWS_BETWEEN_KEEPS = 4_096;

/** Fills an empty board with the open work of the store. */
export async function loadBoard(
  store: Pick<Store, 'load'>,
  board: Board,
): Promise<{ readonly head: Head; readonly savedHeartbeats: readonly Heartbeat[] }> {
  const savedHeartbeats: Heartbeat[] = [];
  let rows = 0;
  const head = await store.load(
    (row) => {
      loadRow(board, row);
      rows += 1;
      if (rows % ROWS_BETWEEN_KEEPS === 0) board.journal.commit();
    },
    (heartbeat) => savedHeartbeats.push(heartbeat),
  );
  board.journal.commit();
  finishLoading(board);
  board.advance(head.seq);
  board.commit();
  return { head, savedHeartbeats };
}
