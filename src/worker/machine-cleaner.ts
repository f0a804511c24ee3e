import type { Duration } from '../domain/ids.ts';
import { type CleanupNeeds, cleanMachine, type DiskUse } from './clean-machine.ts';

interface MachineCleaner {
  /** Disk use at the last cleanup; null before the first. */
  diskUse(): DiskUse | null;
  /** Cleans now, or once more after the cleanup in progress. */
  clean(): Promise<void>;
  stop(): Promise<void>;
}

const CLEAN_EVERY: Duration = 3_600_000;
/** The operator may be freeing space right now. */
const RETRY_AFTER: Duration = 60_000;

/** Cleans up after workers on this machine, at the start and every hour. */
export function startMachineCleaner(needs: CleanupNeeds): MachineCleaner {
  const { clock, log } = needs;
  let diskUse: DiskUse | null = null;
  let isStopped = false;
  let timer: { cancel(): void } | undefined;
  let cleaning: Promise<void> = Promise.resolve();
  /** The cleanup that has not started yet; callers share it until it starts. */
  let next: Promise<void> | undefined;

  function clean(): Promise<void> {
    timer?.cancel();
    next ??= cleaning.then(cleanOnce);
    cleaning = next;
    return next;
  }

  async function cleanOnce(): Promise<void> {
    next = undefined;
    if (isStopped) return;
    try {
      diskUse = await cleanMachine(needs);
    } catch (fault) {
      log.error('cleanup failed', {
        fault: fault instanceof Error ? fault.message : String(fault),
      });
    }
    if (diskUse?.noSpace) log.error('no disk space for runs', { because: diskUse.noSpace });
    timer?.cancel();
    if (!isStopped)
      timer = clock.after(diskUse?.noSpace ? RETRY_AFTER : CLEAN_EVERY, () => void clean());
  }

  return {
    diskUse: () => diskUse,
    clean,
    async stop() {
      isStopped = true;
      timer?.cancel();
      await cleaning;
    },
  };
}
