import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Disk, SweepPlan, SweepReport } from '../../ports/workspace.ts';
import { lockFile } from './file-lock.ts';
import type { GitFolders } from './folders.ts';
import { rescueWork } from './push.ts';
import { bytesIn, removeFolder } from './remove-folder.ts';
import { forgetRescued } from './rescue-refs.ts';
import type { Git } from './run-git.ts';
import { readRecord } from './run-record.ts';

interface Needs {
  readonly git: Git;
  readonly path: string;
  readonly folders: GitFolders;
}

export async function sweep(needs: Needs, plan: SweepPlan): Promise<SweepReport> {
  const removed: string[] = [];
  const rescued: string[] = [];
  const stuck: SweepReport['stuck'][number][] = [];
  let disk = await measureDisk(needs, plan.cells);
  for (const { run, at } of runsByAge(needs.folders, plan)) {
    const isOld = plan.now - at > plan.keep.runs;
    if (!isOld && total(disk) <= plan.budgetBytes) continue;
    try {
      const ref = await rescueIfOpen(needs, run);
      if (ref !== undefined) rescued.push(ref);
      await removeFolder(needs, {
        folder: join(needs.folders.runs, run),
        within: needs.folders.runs,
      });
      removed.push(run);
    } catch (error) {
      stuck.push({ run, because: error instanceof Error ? error.message : String(error) });
      continue;
    }
    disk = await measureDisk(needs, plan.cells);
  }
  const forgotten: string[] = [];
  for (const dir of mirrorsIn(needs.folders)) {
    forgotten.push(...(await forgetRescued(needs, dir, plan.now - plan.keep.rescued)));
    await repackMirror(needs, dir);
  }
  return { removed, rescued, stuck, forgotten, disk: await measureDisk(needs, plan.cells) };
}

async function measureDisk(needs: Needs, cells: string): Promise<Disk> {
  return {
    mirrors: await bytesIn(needs, needs.folders.mirrors),
    runs: await bytesIn(needs, needs.folders.runs),
    cells: await bytesIn(needs, cells),
  };
}

/** A sweep does not shrink mirrors, but they count. */
function total({ mirrors, runs, cells }: Disk): number {
  return mirrors + runs + cells;
}

function runsByAge({ runs }: GitFolders, { alive, now }: SweepPlan) {
  return foldersIn(runs)
    .filter((run) => !alive.has(run))
    .map((run) => ({
      run,
      at: readRecord(join(runs, run))?.at ?? statSync(join(runs, run)).mtimeMs,
    }))
    .filter(({ at }) => at < now)
    .toSorted((one, other) => one.at - other.at);
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function rescueIfOpen(needs: Needs, run: string): Promise<string | undefined> {
  const record = readRecord(join(needs.folders.runs, run));
  if (record?.fate !== 'open' || record.harvest.is !== 'work') return undefined;
  return await rescueWork(needs, { dir: record.mirror }, record.harvest);
}

function mirrorsIn({ mirrors }: GitFolders): string[] {
  return foldersIn(mirrors)
    .filter((name) => name.endsWith('.git'))
    .map((name) => join(mirrors, name));
}

const MANY_PACKS = 20;

/** Repacks only while no worker of this machine lends the mirror out; keeps unreachable objects. */
async function repackMirror({ git, path }: Needs, dir: string): Promise<void> {
  const packs = readdirSync(join(dir, 'objects/pack')).filter((name) => name.endsWith('.pack'));
  if (packs.length < MANY_PACKS) return;
  using lock = await lockFile({ path }, { file: `${dir}.lent`, kind: 'exclusive', seconds: 0 });
  if (!lock) return;
  const args = ['repack', '-a', '-d', '-k', '-l', '--quiet'];
  await git.run({ dir, lock, doing: 'cleaning up a mirror', args, seconds: 3600 });
}
