import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import type { Hall } from './hall.ts';
import { requireResponsiveStore } from './leader.ts';

/**
 * Reads the board between two changes. What a commit under way has decided is in memory already
 * but may still come to nothing, so the view is taken in the queue and leaves with its group.
 */
export async function readBoard<T>(hall: Hall, view: (board: Board) => T): Promise<T> {
  const leading = hall.leading();
  if (!leading) return view(hall.board);
  requireResponsiveStore(leading);
  const seen = await leading.writer.change<{ readonly view: T }>({
    meta: READING,
    decide: (board) => decide({ view: view(board) }, []),
  });
  return (seen as { readonly view: T }).view;
}

const READING = { actor: 'hall', cause: 'reading' };
