import { readFileSync } from 'node:fs';

/** A file, or undefined when it is gone, as those of /proc are with their process. */
export function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

/**
 * Tells a process from a later one with the same number; null when it is gone or dead. The 22nd field of stat, after
 * a name that may hold anything but is closed by the last parenthesis.
 */
export function startTimeOf(pid: number): string | null {
  const stat = readIfExists(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' ? null : (fields[19] ?? null);
}

export function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Somebody else's, or gone.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
