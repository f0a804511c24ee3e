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
  /** How long work is kept that was not pushed. */
  readonly keep: Duration;
  /** What mirrors, quarantines and cells may take together; null is no budget but the disk. */
  readonly budgetBytes: number | null;
  cellsFor(isolation: Isolation | null): Promise<Cells>;
}

/** The folder of this machine in which workers have their cells. */
export interface RunFolders {
  readonly cells: string;
  /**
   * Shows what workers left that are gone, run by run, while nobody else sees it. Answers the runs whose
   * cells are still there.
   */
  visitAbandoned(look: (left: AbandonedRun) => Promise<void>): Promise<ReadonlySet<string>>;
  freeBytes(): Promise<number>;
}

export interface AbandonedRun {
  readonly run: string;
  readonly folder: string;
  /** What its worker wrote down before it began; null when it did not get so far. */
  note(): string | null;
  /** When it began. */
  readonly at: number;
  remove(): Promise<void>;
}

export interface DiskUse {
  readonly bytes: number;
  readonly budgetBytes: number | null;
  /** Why no run may begin here. */
  readonly noSpace: string | null;
}

/**
 * Clears away what runs left that are over. What was not pushed is rescued first; a tree that holds no
 * repository any more cannot be, and goes when it is old.
 */
export async function cleanMachine(needs: CleanupNeeds): Promise<DiskUse> {
  const { workspaces, runFolders, clock, log, keep, budgetBytes } = needs;
  const now = clock.now();
  const alive = await runFolders.visitAbandoned((left) => clear(needs, left));
  const isTight = (await runFolders.freeBytes()) < LOW_DISK_BYTES;
  const { removed, rescued, stuck, forgotten, disk } = await workspaces.sweep({
    cells: runFolders.cells,
    alive,
    keep: { runs: SETTLED, rescued: keep },
    budgetBytes: isTight ? 0 : (budgetBytes ?? Number.POSITIVE_INFINITY),
    now,
  });
  for (const { run, because } of stuck) log.error('run not cleared away', { run, because });
  if (removed.length + forgotten.length > 0) {
    const facts = { runs: removed.length, rescued: rescued.length, forgotten: forgotten.length };
    log.info('work of old runs cleared away', facts);
  }
  const bytes = disk.mirrors + disk.runs + disk.cells;
  return { bytes, budgetBytes, noSpace: await noSpaceFor(needs, bytes) };
}

/** What was pushed, rescued or nothing is of use only while its run may ask for it again. */
const SETTLED: Duration = 3_600_000;

/** One that cannot be cleared away keeps nobody from the others. */
async function clear(needs: CleanupNeeds, left: AbandonedRun): Promise<void> {
  if (!(await mayGo(needs, left))) return;
  try {
    await left.remove();
  } catch (fault) {
    const because = fault instanceof Error ? fault.message : String(fault);
    needs.log.error('folder not removed', { run: left.run, because, folder: left.folder });
  }
}

async function mayGo(needs: CleanupNeeds, left: AbandonedRun): Promise<boolean> {
  const { clock, log, keep } = needs;
  const { run } = left;
  try {
    const saved = await rescueAbandonedRun(needs, left);
    if (saved.is === 'rescued') log.warn('work rescued', { run, ref: saved.ref });
    if (saved.is !== 'unusable') return true;
    log.warn('work not rescued', { run, because: saved.because, folder: left.folder });
    return clock.now() - left.at > keep;
  } catch (fault) {
    // What could not be looked at may be work, so it stays as long as that lasts.
    const because = fault instanceof Error ? fault.message : String(fault);
    log.error('work not rescued', { run, because, folder: left.folder });
    return false;
  }
}

async function noSpaceFor(
  { runFolders, budgetBytes }: CleanupNeeds,
  bytes: number,
): Promise<string | null> {
  const free = await runFolders.freeBytes();
  if (free < LOW_DISK_BYTES) return `${inWords(free)} are free on the disk of ${runFolders.cells}`;
  if (budgetBytes === null || bytes <= budgetBytes) return null;
  return (
    `mirrors and cells take ${inWords(bytes)}, hall.disk_budget_mb allows ${inWords(budgetBytes)}, ` +
    'and nothing more may go; raise it, or remove a mirror that is not needed'
  );
}

function inWords(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
