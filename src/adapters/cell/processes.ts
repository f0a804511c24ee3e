import { readFileSync } from 'node:fs';

/** A file's text, or undefined when it is gone, as files in /proc are once their process ends. */
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
 * Tells a process from a later one with the same pid; null when it is gone or dead. The 22nd field of
 * stat, after a name that may hold anything and ends at the last parenthesis.
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
    // Owned by another user, or gone.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
