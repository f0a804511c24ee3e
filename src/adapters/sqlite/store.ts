import { setImmediate } from 'node:timers/promises';
import type { TaskId } from '../../domain/ids.ts';
import {
  decisionId,
  type EventQuery,
  type Reads,
  type Store,
  StoreBroken,
  type Words,
} from '../../ports/store.ts';
import { type Cell, SQLITE } from '../sql/flavour.ts';
import { loadOpen } from '../sql/load.ts';
import { createReads, recallKeys } from '../sql/reads.ts';
import { FORGET_DECISIONS, FORGET_HEARTBEATS, FORGET_LOG, FORGET_RESPONSES } from '../sql/sweep.ts';
import { storable } from '../sql/words.ts';
import { createAppend } from './append.ts';
import { type Connection, openReader } from './connection.ts';
import { asStoreFault } from './fault.ts';
import type { LateRows } from './late-rows.ts';
import type { DirectoryLock } from './lock.ts';
import { askOf, openSnapshot, type Snapshot } from './snapshot.ts';
import { refuseGone } from './still-there.ts';

/** The store over a database that was opened and checked, and over the lock that comes with it. */
export function createSqliteStore(path: string, db: Connection, lock: DirectoryLock): Store {
  const reader = openReader(path);
  const ask = askOf(reader);
  const reads = createReads(SQLITE, ask);
  const whileSound = createBreaker(path, db);
  const { append, settle, late } = createAppend(db);
  const settled = async () => whileSound(settle);

  async function forget(sql: string, ...values: Cell[]): Promise<void> {
    const statement = db.prepare<Cell[]>(sql);
    while (whileSound(() => forgotten(() => statement.run(...values).changes)) > 0) {
      await setImmediate();
    }
  }

  return {
    ...reads,
    ...settledFirst(reads, settled),
    wordsOf: (ids) => wordsOf(reads, late, ids),
    append: async (group) => whileSound(() => append(group)),
    async recall(keys) {
      if (keys.tasks?.length || keys.threads?.length || keys.runs?.length) await settled();
      return recallKeys(SQLITE, ask, keys);
    },
    async load(put, heartbeat) {
      await settled();
      return withSnapshot(path, (snapshot) =>
        loadOpen({ flavour: SQLITE, ask: snapshot.ask }, put, heartbeat),
      );
    },
    async *dump() {
      await settled();
      yield* dumpSnapshot(path);
    },
    async sweep({ responses, log, decisions }) {
      await settled();
      await forget(FORGET_RESPONSES, responses);
      await forget(FORGET_LOG, await reads.seqAt(log), log);
      await forget(FORGET_HEARTBEATS, log);
      await forget(FORGET_DECISIONS, decisionId(decisions, ''));
    },
    async close() {
      if (!db.open) return;
      settleAtLast(() => whileSound(settle));
      reader.close();
      db.close();
      lock.release();
    },
  };
}

/** What is read of the tables is read after they have caught up with the log. */
function settledFirst(reads: Reads, settled: () => Promise<void>) {
  const late =
    <Asked extends unknown[], Told>(read: (...asked: Asked) => Promise<Told>) =>
    async (...asked: Asked) => {
      await settled();
      return read(...asked);
    };
  return {
    foldedTo: late(reads.foldedTo),
    tasksById: late(reads.tasksById),
    tasks: late(reads.tasks),
    threadsById: late(reads.threadsById),
    threads: late(reads.threads),
    tasksOfThread: late(reads.tasksOfThread),
    childrenOf: late(reads.childrenOf),
    run: late(reads.run),
    runsOfTask: late(reads.runsOfTask),
    worker: late(reads.worker),
    heartbeats: late(reads.heartbeats),
    notesOfThread: late(reads.notesOfThread),
    async events(query: EventQuery) {
      if (query.task !== undefined) await settled();
      return reads.events(query);
    },
  } satisfies Partial<Reads>;
}

/** Asked with every claim, so it does not make the tables catch up. */
async function wordsOf(
  reads: Reads,
  late: LateRows,
  ids: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, Words>> {
  const words = new Map<TaskId, Words>();
  const others: TaskId[] = [];
  for (const id of ids) {
    const { title, body } = late.task(id)?.text ?? {};
    if (title === undefined || body === undefined) others.push(id);
    else words.set(id, { title: storable(title), body: storable(body) });
  }
  for (const [id, stored] of await reads.wordsOf(others)) {
    const { title = stored.title, body = stored.body } = late.task(id)?.text ?? {};
    words.set(id, { title: storable(title), body: storable(body) });
  }
  return words;
}

/** What is not written now is folded from the log at the next start. */
function settleAtLast(settle: () => void): void {
  try {
    settle();
  } catch (error) {
    if (!(error instanceof StoreBroken)) throw error;
  }
}

/** Once the disk has failed nothing is tried again: a second sync can succeed and the first still be lost. */
function createBreaker(path: string, db: Connection): <T>(work: () => T) => T {
  let broken: StoreBroken | undefined;
  const refuse = refuseGone(path, db);
  return (work) => {
    if (broken) throw broken;
    if (!db.open) throw new StoreBroken(`${path} is closed`);
    try {
      refuse();
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
