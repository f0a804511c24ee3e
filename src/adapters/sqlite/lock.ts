import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf } from './fault.ts';

/** Another hall works on this data directory. */
class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
}

export interface DirectoryLock {
  release(): void;
}

/**
 * One hall per data directory.
 *
 * The lock is the one SQLite takes on a file of its own, which the kernel gives back however the
 * process ends. So a file that a killed hall left behind locks nobody out, and a process that got
 * its number does not keep the hall from starting: the number is only written down for the message.
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
      `${folder} is in use by ${ownerIn(owner)}: stop that hall first, or give this one its own data directory`,
      { cause: error },
    );
  }
  writeFileSync(owner, `${process.pid} on ${hostname()}\n`);
  return {
    release() {
      rmSync(owner, { force: true });
      db.close();
    },
  };
}

/** The lock is not read for this: closing a second handle of it would give the first one's lock away. */
function ownerIn(path: string): string {
  try {
    const written = readFileSync(path, 'utf8').trim();
    return written === '' ? 'another hall' : `another hall (process ${written})`;
  } catch {
    return 'another hall';
  }
}
