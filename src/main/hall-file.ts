import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a running hall leaves in its data folder, so that commands find it. */
interface HallFile {
  readonly url: string;
  readonly pid: number;
  readonly started_at: string;
  readonly version: string;
}

function pathIn(folder: string): string {
  return join(folder, 'hall.json');
}

export function writeHallFile(folder: string, hall: HallFile): void {
  const path = pathIn(folder);
  writeFileSync(`${path}.unfinished`, `${JSON.stringify(hall)}\n`, { mode: 0o600 });
  renameSync(`${path}.unfinished`, path);
}

export function removeHallFile(folder: string): void {
  rmSync(pathIn(folder), { force: true });
}

/** Undefined when no hall runs there, as far as its folder tells. */
export function readHallFile(folder: string): HallFile | undefined {
  const path = pathIn(folder);
  if (!existsSync(path)) return undefined;
  const hall = hallIn(readFileSync(path, 'utf8'));
  return hall && isAlive(hall.pid) ? hall : undefined;
}

/** What is no such file was written by no hall. */
function hallIn(text: string): HallFile | undefined {
  try {
    const hall: HallFile = JSON.parse(text);
    return typeof hall.pid === 'number' && typeof hall.url === 'string' ? hall : undefined;
  } catch {
    return undefined;
  }
}

/** A killed hall leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
