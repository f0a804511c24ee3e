import { readdirSync, readFileSync } from 'node:fs';

/** Set in the environment of every program of an unisolated cell, and inherited by its children. */
export const MARK = 'GUILDHALL_CELL';

/** A process that starts others during the scan is found in the next round. */
const ROUNDS = 10;

/**
 * Kills every process that carries the mark. A program that clears its environment escapes: without
 * isolation nothing holds it.
 */
export function killMarked(mark: string): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = processes().filter((pid) => hasMark(pid, mark));
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

/** Only Linux shows the environments of other processes; elsewhere the list is empty. */
function processes(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function hasMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${mark}`);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The process has ended, or belongs to another user. */
function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code);
}
