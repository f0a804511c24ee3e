import { setImmediate } from 'node:timers/promises';
import { type Store, StoreBroken } from '../../ports/store.ts';
import { type Cell, SQLITE } from '../sql/flavour.ts';
import { loadOpen } from '../sql/load.ts';
import { createReads, recallKeys } from '../sql/reads.ts';
import { FORGET_ANSWERS, FORGET_LOG, FORGET_PULSES } from '../sql/sweep.ts';
import { createAppend } from './append.ts';
import { backup } from './backup.ts';
import { type Connection, openReader } from './connection.ts';
import { asStoreFault } from './fault.ts';
import type { DirectoryLock } from './lock.ts';
import { askOf, openSnapshot, type Snapshot } from './snapshot.ts';

export interface SqliteStore extends Store {
  /** Copies the database to a file while the hall works. */
  backup(to: string): Promise<void>;
}

/** The store over a database that was opened and checked, and over the lock that comes with it. */
export function createSqliteStore(path: string, db: Connection, lock: DirectoryLock): SqliteStore {
  const reader = openReader(path);
  const ask = askOf(reader);
  const reads = createReads(SQLITE, ask);
  const whileSound = createBreaker(path, db);
  const write = createAppend(db);

  async function forget(sql: string, ...values: Cell[]): Promise<void> {
    const statement = db.prepare<Cell[]>(sql);
    while (whileSound(() => forgotten(() => statement.run(...values).changes)) > 0) {
      await setImmediate();
    }
  }

  return {
    ...reads,
    append: async (group) => whileSound(() => write(group)),
    recall: (keys) => recallKeys(SQLITE, ask, keys),
    load: (put, pulse) =>
      withSnapshot(path, (snapshot) =>
        loadOpen({ flavour: SQLITE, ask: snapshot.ask }, put, pulse),
      ),
    dump: () => dumpSnapshot(path),
    async sweep({ answers, log }) {
      await forget(FORGET_ANSWERS, answers);
      await forget(FORGET_LOG, await reads.seqAt(log), log);
      await forget(FORGET_PULSES, log);
    },
    backup: (to) => backup(path, to),
    async close() {
      if (!db.open) return;
      reader.close();
      db.close();
      lock.release();
    },
  };
}

/** Once the disk has failed nothing is tried again: a second sync can succeed and the first still be lost. */
function createBreaker(path: string, db: Connection): <T>(work: () => T) => T {
  let broken: StoreBroken | undefined;
  return (work) => {
    if (broken) throw broken;
    if (!db.open) throw new StoreBroken(`${path} is closed`);
    try {
      return work();
    } catch (error) {
      if (error instanceof StoreBroken) broken = error;
      throw error;
    }
  };
}

function forgotten(work: () => number): number {
  try {
    return work();
  } catch (error) {
    throw asStoreFault(error, 'forget what is old');
  }
}

async function withSnapshot<T>(path: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = openSnapshot(path);
  try {
    return await work(snapshot);
  } finally {
    snapshot.close();
  }
}

async function* dumpSnapshot(path: string) {
  const snapshot = openSnapshot(path);
  try {
    yield* snapshot.dump();
  } finally {
    snapshot.close();
  }
}
