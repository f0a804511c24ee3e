import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { operatorCommand } from '../../domain/operator-command.ts';
import { codeOf } from './fault.ts';

/** A running hall uses this data directory. */
class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
}

export interface DirectoryLock {
  release(): void;
}

/**
 * One hall per data directory.
 *
 * The lock is SQLite's own on a separate file; the kernel releases it however the process ends. So a
 * file that a killed hall left behind locks no hall out, and neither does a process that reused its
 * pid: the pid is stored only for the message.
 */
export function lockDirectory(folder: string): DirectoryLock {
  const db = new Database(join(folder, 'hall.lock'), { timeout: 0 });
  const owner = join(folder, 'hall.pid');
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (codeOf(error)?.startsWith('SQLITE_BUSY') !== true) throw error;
    throw new DirectoryInUse(
      `${folder} is in use by ${ownerIn(owner)}: stop it first with: ${operatorCommand('stop')}, or choose another data folder with --data`,
      { cause: error },
    );
  }
  nameOwner(owner);
  return {
    release() {
      rmSync(owner, { force: true });
      db.close();
    },
  };
}

/** A full disk does not keep the hall from starting: the name is only for a message. */
function nameOwner(path: string): void {
  try {
    writeFileSync(path, `${process.pid} on ${hostname()}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    rmSync(path, { force: true });
  }
}

/** Does not open the lock file: closing a second handle would release the first one's lock. */
function ownerIn(path: string): string {
  try {
    const written = readFileSync(path, 'utf8').trim();
    return written === '' ? 'a running hall' : `a running hall (process ${written})`;
  } catch {
    return 'a running hall';
  }
}
