import { decide } from '../domain/decision.ts';
import { tick } from '../domain/due-changes.ts';
import type { Duration, Instant } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { LeadershipLost, type Store, StoreFailed } from '../ports/store.ts';
import { byChore } from './chore.ts';
import { expireApprovals } from './expire-approvals.ts';
import { expireLeases } from './expire-leases.ts';
import type { Liveness } from './liveness.ts';
import { steadyTime } from './steady-time.ts';
import { isWorking, noteExceededTargets, timeOutRuns } from './time-out-runs.ts';
import type { Writer } from './writer.ts';

export interface MaintenanceTimes {
  readonly lease: Duration;
  /** How often the hall runs its chores. */
  readonly tick: Duration;
  readonly keepAnswers: Duration;
  readonly keepLog: Duration;
  /** How long tool decisions are kept. */
  readonly keepDecisions: Duration;
  /** How long a person has to answer an approval. */
  readonly approval: Duration;
}

interface Needs {
  readonly writer: Writer;
  readonly liveness: Liveness;
  readonly store: Pick<Store, 'sweep'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: MaintenanceTimes;
}

const SWEEP_EVERY: Duration = 10 * 60_000;

/** How much of a run's working time a crash of the hall may lose. */
const FLUSH_EVERY: Duration = 15_000;

/** Runs the hall's chores until stopped. A chore that fails is retried at the next tick. */
export function runMaintenance(needs: Needs): { stop(): void } {
  const { clock, log, times } = needs;
  const flushes = every(clock, FLUSH_EVERY, () => flush(needs));
  const steady = steadyTime(clock);
  const sweeps = every(clock, SWEEP_EVERY, () => sweep(needs, steady()));
  let stopped = false;
  let timer = clock.after(times.tick, look);

  function look(): void {
    void runChores(needs)
      .then(flushes)
      .then(sweeps)
      .catch((fault: Error) => {
        if (fault instanceof LeadershipLost || fault instanceof StoreFailed) return;
        log.error('maintenance job failed', { fault: fault.message });
      })
      .finally(() => {
        if (!stopped) timer = clock.after(times.tick, look);
      });
  }

  return {
    stop() {
      stopped = true;
      timer.cancel();
    },
  };
}

/** Runs a chore at a tick only when its period has passed. */
function every(clock: Clock, period: Duration, chore: () => Promise<unknown>) {
  let last = clock.monotonic();
  return async () => {
    if (clock.monotonic() - last < period) return;
    last = clock.monotonic();
    await chore();
  };
}

/** One look: due tasks, silent workers, overdue approvals, runs past their target or limit. */
export async function runChores(needs: Omit<Needs, 'store' | 'log'>): Promise<void> {
  const { writer, liveness } = needs;
  liveness.look((run) => isWorking(writer.board.runs.get(run)));
  await Promise.all([
    writer.change({ meta: byChore('clock'), decide: tick }),
    expireLeases(needs),
    expireApprovals(needs),
    noteExceededTargets(needs),
    timeOutRuns(needs),
  ]);
}

async function flush({ writer }: Needs): Promise<void> {
  await writer.change({ meta: byChore('heartbeats'), decide: () => decide(true, []), flush: true });
}

/** Stored answers carry the steady time; transcripts, which people see, carry the wall clock. */
async function sweep({ store, clock, times }: Needs, steady: Instant): Promise<void> {
  const log = Math.min(clock.now(), steady) - times.keepLog;
  const decisions = Math.min(clock.now(), steady) - times.keepDecisions;
  await store.sweep({ responses: steady - times.keepAnswers, log, decisions });
}
