import type { Board } from '../../domain/board.ts';
import { pauseView, timeOf } from './ids-and-times.ts';

export function hallState({ hall }: Board) {
  return { paused: pauseView(hall.paused), draining: pauseView(hall.draining) };
}

export function tokensIn(board: Board) {
  const tokens = [...board.tokens.values()].map(({ name, role, createdAt, createdBy }) => {
    return { name, role, created_at: timeOf(createdAt), created_by: createdBy };
  });
  return { tokens };
}
