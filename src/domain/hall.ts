import type { Pause } from './project.ts';

/** What is true of the hall as a whole. */
export interface Hall {
  readonly paused: Pause | null;
  readonly draining: Pause | null;
  /** Raised by every restore from a backup. */
  readonly era: number;
  /** The weekly window whose credits are being spent. It only grows, whatever the clock does. */
  readonly window: number;
}

export const FRESH_HALL: Hall = { paused: null, draining: null, era: 0, window: 0 };
