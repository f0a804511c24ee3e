import type { Duration } from '../domain/ids.ts';
import { type CleanupNeeds, cleanMachine, type DiskUse } from './clean-machine.ts';

interface MachineCleaner {
  /** Disk use at the last cleanup; null before the first. */
  diskUse(): DiskUse | null;
  /** Cleans now, or once more after the cleanup in progress. */
  clean(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY: Duration = 3_600_000;
/** The operator may be freeing space right now. */
const LOOK_AGAIN: Duration = 60_000;

/** Cleans up after workers on this machine, at the start and every hour. */
export function startMachineCleaner(needs: CleanupNeeds): MachineCleaner {
  const { clock, log } = needs;
  let kept: DiskUse | null = null;
  let isStopped = false;
  let timer: { cancel(): void } | undefined;
  let looking: Promise<void> = Promise.resolve();
  /** The cleanup that has not started yet; callers share it until it starts. */
  let next: Promise<void> | undefined;

  function look(): Promise<void> {
    timer?.cancel();
    next ??= looking.then(lookOnce);
    looking = next;
    return next;
  }

  async function lookOnce(): Promise<void> {
    next = undefined;
    if (isStopped) return;
    try {
      kept = await cleanMachine(needs);
    } catch (fault) {
      log.error('chore failed', { fault: fault instanceof Error ? fault.message : String(fault) });
    }
    if (kept?.noSpace) log.error('no room for runs', { because: kept.noSpace });
    timer?.cancel();
    if (!isStopped) timer = clock.after(kept?.noSpace ? LOOK_AGAIN : LOOK_EVERY, () => void look());
  }

  return {
    diskUse: () => kept,
    clean: look,
    async stop() {
      isStopped = true;
      timer?.cancel();
      await looking;
    },
  };
}
