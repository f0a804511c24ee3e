import type { ChoreTimes } from '../../../src/board/chores.ts';
import type { Pace } from '../../../src/board/shared-hall.ts';

/** Short enough that a schedule of a thousand steps sees several leases, in the product's proportions. */
export const TIMES: ChoreTimes = {
  lease: 60_000,
  tick: 10_000,
  keepAnswers: 86_400_000,
  keepLog: 7 * 86_400_000,
  keepDecisions: 30 * 86_400_000,
  approval: 30_000,
};

export const BEAT_EVERY = 20_000;

export const PACE: Pace = { beat: 4_000, patience: 12_000 };
