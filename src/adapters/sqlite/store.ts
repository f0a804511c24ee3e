import { setImmediate } from 'node:timers/promises';
import type { TaskId } from '../../domain/ids.ts';
import {
  decisionId,
  type EventQuery,
  type Reads,
  type Store,
  StoreFailed,
  StoreFull,
  type TaskText,
} from '../../ports/store.ts';
import { type Cell, SQLITE } from '../sql/dialect.ts';
import { loadOpen } from '../sql/load-open-work.ts';
import { createReads, recallKeys } from '../sql/reads.ts';
import {
  FORGET_DECISIONS,
  FORGET_HEARTBEATS,
  FORGET_LOG,
  FORGET_RESPONSES,
} from '../sql/retention.ts';
import { readWords } from '../sql/search-index.ts';
import { storable } from '../sql/stored-text.ts';
import { createAppend } from './append.ts';
import { type Connection, openReader } from './connection.ts';
import { toStoreFault } from './fault.ts';
import type { DirectoryLock } from './lock.ts';
import type { PendingRows } from './pending-rows.ts';
import { refuseReplacedFile } from './replaced-file.ts';
import { openSnapshot, queryRunnerOf, type Snapshot } from './snapshot.ts';
import { createTightDisk } from './tight-disk.ts';
import { createTransaction } from './transaction.ts';
import { createIndexWriter } from './write-index.ts';

/** The store over an opened and checked database, and the lock that comes with it. */
export function createSqliteStore(path: string, db: Connection, lock: DirectoryLock): Store {
  const reader = openReader(path);
  const runQuery = queryRunnerOf(reader);
  const reads = createReads(SQLITE, runQuery);
  const unlessBroken = createBreaker(path, db);
  const isTight = createTightDisk(path);
  const inTransaction = createTransaction(db);
  const { append, flush, pending } = createAppend(db, inTransaction, isTight);
  const writeIndex = createIndexWriter(db, inTransaction);
  const flushPending = async () => unlessBroken(flush);

  async function forget(sql: string, ...values: Cell[]): Promise<void> {
    const statement = db.prepare<Cell[]>(sql);
    while (unlessBroken(() => forgotten(() => statement.run(...values).changes)) > 0) {
      await setImmediate();
    }
  }

  return {
    ...reads,
    ...flushFirst(reads, flushPending),
    ...createClaimReads(db, pending, flushPending),
    append: async (group) => unlessBroken(() => append(group)),
    async index(change) {
      // The events need the space more.
      if (isTight()) throw new StoreFull('there is too little space to index tasks');
      if (change.tasks.length > 0 || change.threads.length > 0) await flushPending();
      const tasks = await readWords(SQLITE, runQuery, change);
      return unlessBroken(() => writeIndex(change, tasks));
    },
    async load(put, heartbeat) {
      await flushPending();
      return withSnapshot(path, (snapshot) =>
        loadOpen({ dialect: SQLITE, runQuery: snapshot.runQuery }, put, heartbeat),
      );
    },
    async *dump() {
      await flushPending();
      yield* dumpSnapshot(path);
    },
    async sweep({ responses, log, decisions }) {
      await flushPending();
      await forget(FORGET_RESPONSES, responses);
      await forget(FORGET_LOG, await reads.seqAt(log), log);
      await forget(FORGET_HEARTBEATS, log);
      await forget(FORGET_DECISIONS, decisionId(decisions, ''));
    },
    async close() {
      if (!db.open) return;
      flushOnClose(() => unlessBroken(flush));
      reader.close();
      db.close();
      lock.release();
    },
  };
}

/**
 * What most claims and reports read, without making the tables catch up. They use the writer's connection, because a
 * commit empties the page cache of every other one.
 */
function createClaimReads(
  db: Connection,
  pending: PendingRows,
  flushPending: () => Promise<void>,
): Pick<Store, 'textsOf' | 'workBefore' | 'recall'> {
  const runQuery = queryRunnerOf(db);
  const reads = createReads(SQLITE, runQuery);
  return {
    textsOf: (ids) => taskTexts(reads, pending, ids),
    async workBefore(thread, task) {
      if (pending.hasWorkOf(thread)) await flushPending();
      return reads.workBefore(thread, task);
    },
    async recall(keys) {
      if (keys.tasks?.length || keys.threads?.length || keys.runs?.length) await flushPending();
      return recallKeys(SQLITE, runQuery, keys);
    },
  };
}

/** Makes the tables catch up with the log before reading them. */
function flushFirst(reads: Reads, flushPending: () => Promise<void>) {
  const afterFlush =
    <Args extends unknown[], Result>(read: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      await flushPending();
      return read(...args);
    };
  return {
    foldedTo: afterFlush(reads.foldedTo),
    tasksById: afterFlush(reads.tasksById),
    tasks: afterFlush(reads.tasks),
    threadsById: afterFlush(reads.threadsById),
    threads: afterFlush(reads.threads),
    tasksOfThread: afterFlush(reads.tasksOfThread),
    childrenOf: afterFlush(reads.childrenOf),
    run: afterFlush(reads.run),
    runsOfTask: afterFlush(reads.runsOfTask),
    worker: afterFlush(reads.worker),
    heartbeats: afterFlush(reads.heartbeats),
    notesOfThread: afterFlush(reads.notesOfThread),
    async events(query: EventQuery) {
      if (query.task !== undefined) await flushPending();
      return reads.events(query);
    },
  } satisfies Partial<Reads>;
}

async function taskTexts(
  reads: Reads,
  pending: PendingRows,
  ids: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, TaskText>> {
  const texts = new Map<TaskId, TaskText>();
  const others: TaskId[] = [];
  for (const id of ids) {
    const { title, body } = pending.task(id)?.text ?? {};
    if (title === undefined || body === undefined) others.push(id);
    else texts.set(id, { title: storable(title), body: storable(body) });
  }
  for (const [id, stored] of await reads.textsOf(others)) {
    const { title = stored.title, body = stored.body } = pending.task(id)?.text ?? {};
    texts.set(id, { title: storable(title), body: storable(body) });
  }
  return texts;
}

/** Rows not written now are folded from the log at the next start. */
function flushOnClose(flush: () => void): void {
  try {
    flush();
  } catch (error) {
    if (!(error instanceof StoreFailed || error instanceof StoreFull)) throw error;
  }
}

/** After a disk failure nothing is retried: a second sync can succeed while the first write is lost. */
function createBreaker(path: string, db: Connection): <T>(work: () => T) => T {
  let broken: StoreFailed | undefined;
  const refuse = refuseReplacedFile(path, db);
  return (work) => {
    if (broken) throw broken;
    if (!db.open) throw new StoreFailed(`${path} is closed`);
    try {
      refuse();
      return work();
    } catch (error) {
      if (error instanceof StoreFailed) broken = error;
      throw error;
    }
  };
}

function forgotten(work: () => number): number {
  try {
    return work();
  } catch (error) {
    throw toStoreFault(error, 'remove expired records');
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
