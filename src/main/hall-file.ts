import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../ports/log.ts';

/** The file in the data folder by which commands find a running hall. */
interface HallFile {
  readonly url: string;
  readonly pid: number;
  readonly started_at: string;
  readonly version: string;
}

/** The file in the data folder with the operator's token. */
export function tokenPath(folder: string): string {
  return join(folder, 'token');
}

function pathIn(folder: string): string {
  return join(folder, 'hall.json');
}

/**
 * Not synced: after a power cut no hall runs that the file could name. Without space for it, commands have
 * to be told where the hall is, with --url.
 */
export function writeHallFile(folder: string, hall: HallFile, log: Log): void {
  const path = pathIn(folder);
  try {
    writeFileSync(`${path}.unfinished`, `${JSON.stringify(hall)}\n`, { mode: 0o600 });
    renameSync(`${path}.unfinished`, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    log.warn('no space to write down where the hall is', { file: path });
  }
}

export function removeHallFile(folder: string): void {
  rmSync(pathIn(folder), { force: true });
}

/** Undefined when the folder shows no running hall. */
export function readHallFile(folder: string): HallFile | undefined {
  const path = pathIn(folder);
  if (!existsSync(path)) return undefined;
  const hall = hallIn(readFileSync(path, 'utf8'));
  return hall && isAlive(hall.pid) ? hall : undefined;
}

/** Ignores a file that no hall wrote. */
function hallIn(text: string): HallFile | undefined {
  try {
    const hall: HallFile = JSON.parse(text);
    return typeof hall.pid === 'number' && typeof hall.url === 'string' ? hall : undefined;
  } catch {
    return undefined;
  }
}

/** A hall that was killed leaves its file behind. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
