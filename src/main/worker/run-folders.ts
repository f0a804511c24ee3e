import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../adapters/files/write-durably.ts';
import { lockFile } from '../../adapters/git/file-lock.ts';
import { removeFolder } from '../../adapters/git/remove-folder.ts';
import type { AbandonedRun, RunFolders } from '../../worker/clean-machine.ts';
import type { CellFolders } from '../../worker/needs.ts';
import { createFolders } from './folders.ts';

interface Needs {
  readonly path: string;
}

const NOTE = 'run.json';

/**
 * The cells of one worker, in a folder of its own. This process holds the folder's lock until it ends,
 * however it ends, so a process that gets the lock knows that the worker is dead.
 */
export async function claimRunFolders(
  root: string,
  worker: string,
  needs: Needs,
): Promise<CellFolders & AsyncDisposable> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const workerFolder = join(root, worker);
  const lock = await lockFile(needs, {
    file: lockOf(workerFolder),
    kind: 'exclusive',
    seconds: 60,
  });
  if (!lock) throw new Error(`another process is running as worker ${worker} in ${root}`);
  const folders = createFolders(workerFolder, needs);
  return {
    async make(run, note) {
      const folder = await folders.make(run);
      await writeDurably(join(folder, NOTE), note);
      return folder;
    },
    remove: folders.remove,
    async [Symbol.asyncDispose]() {
      if (foldersIn(workerFolder).length === 0) await removeWorker(workerFolder, needs);
      lock[Symbol.dispose]();
    },
  };
}

/** The cells of all workers that share a folder on this machine. */
export function createRunFolders(root: string, needs: Needs): RunFolders {
  return {
    cells: root,
    async visitAbandoned(visit) {
      const remaining = new Set<string>();
      for (const worker of workersIn(root)) {
        for (const run of await visitWorker(join(root, worker), visit, needs)) remaining.add(run);
      }
      return remaining;
    },
    async freeBytes() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
  };
}

/** Returns the runs that are still there. */
async function visitWorker(
  workerFolder: string,
  visit: (run: AbandonedRun) => Promise<void>,
  needs: Needs,
): Promise<readonly string[]> {
  using lock = await lockFile(needs, { file: lockOf(workerFolder), kind: 'exclusive', seconds: 0 });
  if (!lock) return foldersIn(workerFolder);
  if (!existsSync(workerFolder) && isFresh(lockOf(workerFolder))) return [];
  for (const run of foldersIn(workerFolder)) await visit(abandonedRunIn(workerFolder, run, needs));
  const remaining = foldersIn(workerFolder);
  if (remaining.length === 0) await removeWorker(workerFolder, needs);
  return remaining;
}

/** A worker that has created its lock file may not hold the lock yet. */
const STARTING = 600_000;

/** The previous holder of the lock may have removed its file. */
function isFresh(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < STARTING;
}

async function removeWorker(workerFolder: string, needs: Needs): Promise<void> {
  await removeFolder(needs, { folder: workerFolder, within: dirname(workerFolder) });
  await rm(lockOf(workerFolder), { force: true });
}

function abandonedRunIn(workerFolder: string, run: string, needs: Needs): AbandonedRun {
  const folder = join(workerFolder, run);
  const file = join(folder, NOTE);
  const note = () => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  const remove = () => removeFolder(needs, { folder, within: workerFolder });
  return { run, folder, note, at: statSync(folder).mtimeMs, remove };
}

/** A worker locks before it creates its first folder, so cleanup ignores folders without a lock. */
function workersIn(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((name) => /^(.+)\.lock$/.exec(name)?.[1] ?? []);
}

function lockOf(workerFolder: string): string {
  return `${workerFolder}.lock`;
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
