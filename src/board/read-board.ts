import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import type { Hall } from './hall.ts';
import { requireResponsiveStore } from './leader.ts';

/**
 * Reads the board between two changes. Memory already holds what a commit in progress has decided,
 * and that commit may still fail. So the read queues like a change and returns with its group.
 */
export async function readBoard<T>(hall: Hall, view: (board: Board) => T): Promise<T> {
  const leading = hall.leading();
  if (!leading) return view(hall.board);
  requireResponsiveStore(leading);
  const result = await leading.writer.change<{ readonly view: T }>({
    meta: READING,
    decide: (board) => decide({ view: view(board) }, []),
  });
  return (result as { readonly view: T }).view;
}

const READING = { actor: 'hall', cause: 'reading' };
