import type { Board } from './board.ts';
import { type Fence, nameOf, type RunId, type WorkerId } from './ids.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Run } from './run.ts';

/** Sent with every call of a worker about its run. */
export interface Lease {
  readonly run: RunId;
  readonly fence: Fence;
  /** The calling worker, where it is known; null where the hall trusts every caller. */
  readonly worker: WorkerId | null;
}

/** The run that a lease still holds, or the refusal that makes a worker stop its agent. */
export function checkLease(board: Board, lease: Lease): Run | Refusal {
  const run = board.runs.get(lease.run);
  const name = nameOf('run', lease.run);
  if (!run) return refuse('stale_fence', `${name} has ended; stop working on it`);
  if (run.fence !== lease.fence) {
    return refuse('stale_fence', `fence ${lease.fence} of ${name} is outdated; stop working on it`);
  }
  if (lease.worker !== null && run.worker !== lease.worker) {
    return refuse('not_your_run', `${name} belongs to ${nameOf('worker', run.worker)}`);
  }
  return run;
}
