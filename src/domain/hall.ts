import type { Pause } from './project.ts';

/** Facts about the hall as a whole. */
export interface Hall {
  readonly paused: Pause | null;
  readonly draining: Pause | null;
  /** Grows with every restore from a backup. */
  readonly era: number;
  /** The weekly window whose credits are being spent. It only grows, even if the clock goes back. */
  readonly window: number;
}

export const FRESH_HALL: Hall = { paused: null, draining: null, era: 0, window: 0 };
