import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from './file-lock.ts';
import type { Places } from './places.ts';
import { rescueWork } from './push.ts';
import { bytesIn, removeFolder } from './remove-folder.ts';
import { forgetRescued } from './rescued.ts';
import type { Git } from './run-git.ts';
import { readRecord } from './run-record.ts';

interface Needs {
  readonly git: Git;
  readonly path: string;
  readonly places: Places;
}

export interface Sweeping {
  /** Where the cells of runs are, each in a folder named after its run. */
  readonly workspaces: string;
  /** Runs that somebody may still work on: they are not looked at. */
  readonly alive: ReadonlySet<string>;
  /** Settled runs are kept so long, rescued work so long. Milliseconds. */
  readonly keep: { readonly runs: number; readonly rescued: number };
  /** Above this, settled runs go earlier, the oldest first. */
  readonly budgetBytes: number;
  readonly now: number;
}

export interface Swept {
  readonly removed: readonly string[];
  readonly rescued: readonly string[];
  readonly forgotten: readonly string[];
  /** What holds work that is nowhere else, and so stays whatever it costs. */
  readonly kept: readonly { readonly run: string; readonly because: string }[];
  readonly disk: Disk;
}

export interface Disk {
  readonly mirrors: number;
  readonly runs: number;
  readonly workspaces: number;
}

/** Nothing goes that is not pushed, rescued, or known to be nothing. */
export async function sweep(needs: Needs, plan: Sweeping): Promise<Swept> {
  const removed: string[] = [];
  const rescued: string[] = [];
  const kept: { run: string; because: string }[] = [];
  let disk = await measureDisk(needs, plan.workspaces);
  for (const { run, at } of runsByAge(needs.places, plan)) {
    const isOld = plan.now - at > plan.keep.runs;
    if (!isOld && total(disk) <= plan.budgetBytes) continue;
    const because = whyKept(needs.places, plan, run);
    if (because !== undefined) {
      kept.push({ run, because });
      continue;
    }
    const ref = await rescueIfOpen(needs, run);
    if (ref !== undefined) rescued.push(ref);
    await remove(needs, plan.workspaces, run);
    removed.push(run);
    disk = await measureDisk(needs, plan.workspaces);
  }
  const forgotten: string[] = [];
  for (const dir of mirrorsIn(needs.places)) {
    forgotten.push(...(await forgetRescued(needs, dir, plan.now - plan.keep.rescued)));
    await tidy(needs, dir);
  }
  return { removed, rescued, forgotten, kept, disk: await measureDisk(needs, plan.workspaces) };
}

export async function measureDisk(needs: Needs, workspaces: string): Promise<Disk> {
  return {
    mirrors: await bytesIn(needs, needs.places.mirrors),
    runs: await bytesIn(needs, needs.places.runs),
    workspaces: await bytesIn(needs, workspaces),
  };
}

/** Mirrors do not shrink by sweeping, but they count. */
function total({ mirrors, runs, workspaces }: Disk): number {
  return mirrors + runs + workspaces;
}

function runsByAge({ runs }: Places, { workspaces, alive }: Sweeping) {
  const names = new Set([...foldersIn(runs), ...foldersIn(workspaces)]);
  return [...names]
    .filter((run) => !alive.has(run))
    .map((run) => ({ run, at: readRecord(join(runs, run))?.at ?? touched(workspaces, runs, run) }))
    .toSorted((one, other) => one.at - other.at);
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function touched(workspaces: string, runs: string, run: string): number {
  const folder = [join(workspaces, run), join(runs, run)].find((each) => existsSync(each));
  return folder === undefined ? 0 : statSync(folder).mtimeMs;
}

function whyKept({ runs }: Places, { workspaces }: Sweeping, run: string): string | undefined {
  const record = readRecord(join(runs, run));
  if (!record) {
    return existsSync(join(workspaces, run)) ? 'its work was never taken over' : undefined;
  }
  const isSpoilt = record.fate === 'open' && record.harvest.is === 'spoilt';
  return isSpoilt && existsSync(join(workspaces, run))
    ? `its work could not be taken over: ${record.harvest.because}`
    : undefined;
}

async function rescueIfOpen(needs: Needs, run: string): Promise<string | undefined> {
  const record = readRecord(join(needs.places.runs, run));
  if (record?.fate !== 'open' || record.harvest.is !== 'work') return undefined;
  return await rescueWork(needs, { dir: record.mirror }, record.harvest);
}

/** The record last: without it nobody would know that the rest may go. */
async function remove(needs: Needs, workspaces: string, run: string): Promise<void> {
  const places = [workspaces, needs.places.runs];
  for (const within of places) {
    const folder = join(within, run);
    if (existsSync(folder)) await removeFolder(needs, { folder, within });
  }
}

function mirrorsIn({ mirrors }: Places): string[] {
  return foldersIn(mirrors)
    .filter((name) => name.endsWith('.git'))
    .map((name) => join(mirrors, name));
}

const MANY_PACKS = 20;

/** Only while no worker of this machine lends it out; what nothing reaches is kept all the same. */
async function tidy({ git, path }: Needs, dir: string): Promise<void> {
  const packs = readdirSync(join(dir, 'objects/pack')).filter((name) => name.endsWith('.pack'));
  if (packs.length < MANY_PACKS) return;
  using lock = await lockFile({ path }, { file: `${dir}.lent`, kind: 'alone', seconds: 0 });
  if (!lock) return;
  const args = ['repack', '-a', '-d', '-k', '-l', '--quiet'];
  await git.run({ dir, lock, doing: 'tidying a mirror', args, seconds: 3600 });
}
