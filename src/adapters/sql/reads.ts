import type { RunId, TaskId, ThreadId, WorkerId } from '../../domain/ids.ts';
import type { Keys, LogEntry, Reads, Recalled, StoredResponse } from '../../ports/store.ts';
import { decisionPage } from './decision-records.ts';
import type { Dialect, RunQuery } from './dialect.ts';
import { dumpTables } from './dump.ts';
import { eventPage, headOfLog, sealedEvents, seqAt } from './event-records.ts';
import { heartbeatsOf } from './load-open-work.ts';
import {
  type NoteCells,
  noteFrom,
  type RunCells,
  runFrom,
  type WorkerCells,
  workerFrom,
} from './run-columns.ts';
import { indexedTo } from './search-index.ts';
import { secretValues } from './secret-records.ts';
import { columnsOf } from './tables.ts';
import { SCAN, taskPage } from './task-page.ts';
import { tasksById, tasksOfThread, taskTexts } from './task-records.ts';
import { readThreads } from './thread-records.ts';

const RUN = columnsOf('run').join(', ');

/** All reads of the store, built on single statements. */
export function createReads(dialect: Dialect, runQuery: RunQuery): Reads {
  const threads = readThreads(dialect, runQuery);
  return {
    head: () => headOfLog(runQuery),
    foldedTo: async () => (await headOfLog(runQuery)).seq,
    indexedTo: () => indexedTo(runQuery),
    textsOf: (ids) => taskTexts(dialect, runQuery, ids),
    tasksById: (ids) => tasksById(dialect, runQuery, ids),
    tasks: (query) => taskPage(dialect, runQuery, query),
    threadsById: (ids) => threads.byId(ids),
    threads: (query) => threads.page(query),
    tasksOfThread: (id) => tasksOfThread(runQuery, id),
    childrenOf: (parent) => threads.ofParent(parent),
    run: async (id) => (await runsById(dialect, runQuery, [id]))[0],
    runsOfTask: (id) => runsOfTask(dialect, runQuery, id),
    async worker(id: WorkerId) {
      const sql = `SELECT ${columnsOf('worker').join(', ')} FROM worker WHERE id = ?`;
      return (await runQuery<WorkerCells>(sql, [id])).map(workerFrom)[0];
    },
    heartbeats: () => heartbeatsOf(runQuery),
    notesOfThread: (id) => notesOfThread(runQuery, id),
    async workBefore(thread, task) {
      const [notes, runs] = await Promise.all([
        notesOfThread(runQuery, thread),
        runsOfTask(dialect, runQuery, task),
      ]);
      return { notes, runs: runs.filter(({ ending }) => ending !== null) };
    },
    log: (run, after, limit) => logEntries(runQuery, run, after, limit),
    logSize: (run) => logSize(runQuery, run),
    secrets: () => secretValues(runQuery),
    decisions: (query) => decisionPage(runQuery, query),
    events: (query) => eventPage(dialect, runQuery, query),
    seqAt: (at) => seqAt(runQuery, at),
    sealed: (after, limit) => sealedEvents(runQuery, after, limit),
    dump: () => dumpTables(runQuery),
  };
}

async function notesOfThread(runQuery: RunQuery, id: ThreadId) {
  const sql = `SELECT ${columnsOf('note').join(', ')} FROM note WHERE thread = ? ORDER BY seq`;
  return (await runQuery<NoteCells>(sql, [id])).map(noteFrom);
}

async function runsById(dialect: Dialect, runQuery: RunQuery, ids: readonly RunId[]) {
  if (ids.length === 0) return [];
  const sql = `SELECT ${RUN} FROM run WHERE ${dialect.among('id')}`;
  return (await runQuery<RunCells>(sql, [dialect.list(ids)])).map(runFrom);
}

/** A run has the number of the event that claimed it, and the events of a task are indexed. */
async function runsOfTask(dialect: Dialect, runQuery: RunQuery, id: TaskId) {
  const columns = columnsOf('run').map((column) => `run.${column}`);
  const sql = `SELECT ${columns.join(', ')} FROM ${dialect.eventsOfTask} AS own
    JOIN run ON run.id = own.seq WHERE own.task = ? ORDER BY own.seq`;
  return (await runQuery<RunCells>(sql, [id])).map(runFrom);
}

async function logEntries(runQuery: RunQuery, run: RunId, after: number, limit: number) {
  const sql = 'SELECT n, at, text FROM run_log WHERE run = ? AND n > ? ORDER BY n LIMIT ?';
  const cells = await runQuery<readonly [number, number, string]>(sql, [
    run,
    after,
    Math.min(limit, SCAN),
  ]);
  return cells.map(([n, at, text]): LogEntry => ({ run, n, at, text }));
}

async function logSize(runQuery: RunQuery, run: RunId) {
  const sql =
    'SELECT coalesce(max(n), 0), coalesce(sum(length(text)), 0) FROM run_log WHERE run = ?';
  const [size] = await runQuery<readonly [number, number]>(sql, [run]);
  return { last: size?.[0] ?? 0, characters: size?.[1] ?? 0 };
}

type ResponseCells = readonly [
  key: string,
  request: string,
  status: number,
  body: string,
  at: number,
];

/** What the writer reads before it decides. */
export async function recallKeys(
  dialect: Dialect,
  runQuery: RunQuery,
  keys: Keys,
): Promise<Recalled> {
  const [responses, tasks, threads, runs] = await Promise.all([
    responsesByKey(dialect, runQuery, keys.responses ?? []),
    tasksById(dialect, runQuery, keys.tasks ?? []),
    readThreads(dialect, runQuery).byId(keys.threads ?? []),
    runsById(dialect, runQuery, keys.runs ?? []),
  ]);
  return {
    responses: new Map(responses.map((response) => [response.key, response])),
    tasks: new Map(tasks.map(({ task }) => [task.id, task])),
    threads: new Map(threads.map(({ thread }) => [thread.id, thread])),
    runs: new Map(runs.map((run) => [run.id, run])),
  };
}

async function responsesByKey(dialect: Dialect, runQuery: RunQuery, keys: readonly string[]) {
  if (keys.length === 0) return [];
  const sql = `SELECT ${columnsOf('idempotency_key').join(', ')} FROM idempotency_key WHERE ${dialect.among('key')}`;
  const cells = await runQuery<ResponseCells>(sql, [dialect.list(keys)]);
  return cells.map(
    ([key, request, status, body, at]): StoredResponse => ({ key, request, status, body, at }),
  );
}
