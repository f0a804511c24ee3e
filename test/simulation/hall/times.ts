import type { LeadershipTimes } from '../../../src/board/clustered-hall.ts';
import type { MaintenanceTimes } from '../../../src/board/maintenance.ts';

/** Short enough that a schedule of a thousand steps sees several leases, in the product's proportions. */
export const TIMES: MaintenanceTimes = {
  lease: 60_000,
  tick: 10_000,
  keepAnswers: 86_400_000,
  keepLog: 7 * 86_400_000,
  keepDecisions: 30 * 86_400_000,
  approval: 30_000,
};

export const HEARTBEAT_EVERY = 20_000;

export const LEADERSHIP_TIMES: LeadershipTimes = { heartbeat: 4_000, patience: 12_000 };
