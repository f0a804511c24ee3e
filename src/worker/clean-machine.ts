import { LOW_DISK_BYTES } from '../domain/disk-space.ts';
import type { Duration } from '../domain/ids.ts';
import type { Isolation } from '../domain/project.ts';
import type { Cells } from '../ports/cell.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Workspaces } from '../ports/workspace.ts';
import { rescueAbandonedRun } from './rescue-abandoned-run.ts';

export interface CleanupNeeds {
  readonly workspaces: Workspaces;
  readonly runFolders: RunFolders;
  readonly clock: Clock;
  readonly log: Log;
  /** How long to keep work that was not pushed. */
  readonly keep: Duration;
  /** Limit for mirrors, quarantines and cells together; null limits them only by the disk. */
  readonly budgetBytes: number | null;
  cellsFor(isolation: Isolation | null): Promise<Cells>;
}

/** The folder on this machine that holds the workers' cells. */
export interface RunFolders {
  readonly cells: string;
  /**
   * Passes each run left by a dead worker to `visit`, under an exclusive lock. Returns the runs whose
   * cells still exist.
   */
  visitAbandoned(visit: (abandoned: AbandonedRun) => Promise<void>): Promise<ReadonlySet<string>>;
  freeBytes(): Promise<number>;
}

export interface AbandonedRun {
  readonly run: string;
  readonly folder: string;
  /** The note its worker wrote before the run began; null when the worker died earlier. */
  note(): string | null;
  /** When it began. */
  readonly at: number;
  remove(): Promise<void>;
}

export interface DiskUse {
  readonly bytes: number;
  readonly budgetBytes: number | null;
  /** Why no run may start here. */
  readonly noSpace: string | null;
}

/**
 * Removes what finished runs left, after rescuing work that was not pushed. A tree without a usable
 * repository cannot be rescued and is removed when it is old.
 */
export async function cleanMachine(needs: CleanupNeeds): Promise<DiskUse> {
  const { workspaces, runFolders, clock, log, keep, budgetBytes } = needs;
  const now = clock.now();
  const alive = await runFolders.visitAbandoned((abandoned) => cleanUp(needs, abandoned));
  const isTight = (await runFolders.freeBytes()) < LOW_DISK_BYTES;
  const { removed, rescued, stuck, forgotten, disk } = await workspaces.sweep({
    cells: runFolders.cells,
    alive,
    keep: { runs: SETTLED, rescued: keep },
    budgetBytes: isTight ? 0 : (budgetBytes ?? Number.POSITIVE_INFINITY),
    now,
  });
  for (const { run, because } of stuck) log.error('run not cleaned up', { run, because });
  if (removed.length + forgotten.length > 0) {
    const facts = { runs: removed.length, rescued: rescued.length, forgotten: forgotten.length };
    log.info('old runs cleaned up', facts);
  }
  const bytes = disk.mirrors + disk.runs + disk.cells;
  return { bytes, budgetBytes, noSpace: await noSpaceFor(needs, bytes) };
}

/** Settled work is needed only while its run may ask for it again. */
const SETTLED: Duration = 3_600_000;

/** A run that cannot be removed does not stop the cleanup of the others. */
async function cleanUp(needs: CleanupNeeds, abandoned: AbandonedRun): Promise<void> {
  if (!(await mayRemove(needs, abandoned))) return;
  try {
    await abandoned.remove();
  } catch (fault) {
    const because = fault instanceof Error ? fault.message : String(fault);
    needs.log.error('folder not removed', {
      run: abandoned.run,
      because,
      folder: abandoned.folder,
    });
  }
}

async function mayRemove(needs: CleanupNeeds, abandoned: AbandonedRun): Promise<boolean> {
  const { clock, log, keep } = needs;
  const { run } = abandoned;
  try {
    const saved = await rescueAbandonedRun(needs, abandoned);
    if (saved.is === 'rescued') log.warn('work rescued', { run, ref: saved.ref });
    if (saved.is !== 'unusable') return true;
    log.warn('work not rescued', { run, because: saved.because, folder: abandoned.folder });
    return clock.now() - abandoned.at > keep;
  } catch (fault) {
    // A folder that cannot be inspected may hold work, so it stays until it can be.
    const because = fault instanceof Error ? fault.message : String(fault);
    log.error('work not rescued', { run, because, folder: abandoned.folder });
    return false;
  }
}

async function noSpaceFor(
  { runFolders, budgetBytes }: CleanupNeeds,
  bytes: number,
): Promise<string | null> {
  const free = await runFolders.freeBytes();
  if (free < LOW_DISK_BYTES)
    return `only ${mebibytes(free)} free on the disk of ${runFolders.cells}`;
  if (budgetBytes === null || bytes <= budgetBytes) return null;
  return (
    `mirrors and cells use ${mebibytes(bytes)}, hall.disk_budget_mb allows ${mebibytes(budgetBytes)}, ` +
    'and nothing more can be removed automatically; raise that limit, or remove a mirror that is no longer needed'
  );
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
