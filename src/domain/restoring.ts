import type { Board } from './board.ts';
import { type Decision, decide, type Now } from './decision.ts';
import type { HallEvent } from './event.ts';
import type { Instant } from './ids.ts';
import { deregister } from './lost-worker.ts';

const HOUR = 3_600_000;

/**
 * Higher than every known era, and than the eras of unknown restores from the same backup if an
 * hour has passed in between. Below 2^20 until the year 2089.
 */
export function eraAfter(known: readonly number[], now: Instant): number {
  return Math.max(...known.map((era) => era + 1), Math.floor(now / HOUR));
}

/** Invalidates everything from before a restore: every worker is gone and every run has ended. */
export function restoreBoard(board: Board, era: number, now: Now): Decision<number> {
  const events: HallEvent[] = [{ type: 'HallRestored', hall: { ...board.hall, era } }];
  for (const id of board.workers.keys()) {
    events.push(...deregister(board, id, 'the hall was restored from a backup', now).events);
  }
  return decide(era, events);
}
