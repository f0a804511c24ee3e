import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in the data folder by which commands find a running hall. */
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
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
