import { readdirSync, readFileSync } from 'node:fs';

/** Stands in the environment of every program of a cell without walls, and of what it starts. */
export const MARK = 'GUILDHALL_CELL';

/** One that starts others while it is looked for is found the next time round. */
const ROUNDS = 10;

/**
 * Kills what carries the mark, wherever it went. A program that cleans its environment escapes: without
 * walls there is nothing that would hold it.
 */
export function killMarked(mark: string): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = processes().filter((pid) => hasMark(pid, mark));
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

/** Only Linux shows the environments of others; elsewhere there are none to look at. */
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

/** It ended meanwhile, or belongs to somebody else. */
function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code);
}
