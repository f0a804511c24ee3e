import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './tree.ts';

/** Where a clone keeps what its tests need and `npm install` does not bring. */
export const CACHE: string = join(ROOT, '.cache');

/**
 * Fills a folder once. It is filled beside its place and then renamed, so that an interrupted run leaves no half
 * of it, and runs that fill it at the same time do not meet.
 */
export async function fillOnce(
  folder: string,
  fill: (part: string) => Promise<void>,
): Promise<string> {
  if (existsSync(folder)) return folder;
  await removeAbandonedParts(folder);
  const part = `${folder}${PART}${process.pid}`;
  await mkdir(part, { recursive: true });
  try {
    await fill(part);
    await rename(part, folder);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    // Another run was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

const PART = '.part-';

async function removeAbandonedParts(folder: string): Promise<void> {
  const around = dirname(folder);
  if (!existsSync(around)) return;
  const prefix = `${basename(folder)}${PART}`;
  for (const name of await readdir(around)) {
    const isAbandoned = name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)));
    if (isAbandoned) await rm(join(around, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs a program in the folder that is filled. Its last line on standard error says why it failed. */
export async function runIn(folder: string, program: string, ...args: string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args, { cwd: folder });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const because = stderr.trim().split('\n').at(-1) || message;
    throw new Error(because, { cause: error });
  }
}
