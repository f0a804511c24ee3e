import type { RunId, WorkerId } from '../../domain/ids.ts';
import type { Row } from '../../domain/row.ts';
import { isClosed } from '../../domain/task.ts';
import { isOpen } from '../../domain/thread.ts';
import {
  type DecisionPage,
  type DecisionQuery,
  decisionId,
  type Group,
  GroupRefused,
  type Heartbeat,
  type Keys,
  LeadershipLost,
  type LogEntry,
  type Reads,
  type Recalled,
  type SecretValue,
  type Store,
  type StoredResponse,
  type ToolDecision,
} from '../../ports/store.ts';
import { faultInGroup } from '../sql/check-group.ts';
import { faultInRow } from '../sql/check-row.ts';
import { isAskedFor } from '../sql/decision-records.ts';
import { subjectsOf } from '../sql/event-subjects.ts';
import { heartbeatCells, heartbeatFrom } from '../sql/run-columns.ts';
import { characters, storable } from '../sql/stored-text.ts';
import { SCAN } from '../sql/task-page.ts';
import { createMemoryLog, type MemoryLog } from './event-log.ts';
import { taskIn, taskPage, threadIn, threadPage } from './records.ts';
import { createMemorySearchIndex, type MemorySearchIndex } from './search-index.ts';
import { createMemoryTables, type MemoryTables, settingsInOrder } from './tables.ts';

/** Outlives the process that writes it: a new store on it finds everything. */
interface MemoryDisk {
  readonly tables: MemoryTables;
  readonly log: MemoryLog;
  readonly responses: Map<string, StoredResponse>;
  readonly transcripts: Map<RunId, LogEntry[]>;
  readonly decisions: Map<string, ToolDecision>;
  readonly heartbeats: Map<WorkerId, Heartbeat>;
  readonly secrets: Map<string, SecretValue>;
  readonly search: MemorySearchIndex;
}

export function createMemoryDisk(): MemoryDisk {
  return {
    tables: createMemoryTables(),
    log: createMemoryLog(),
    responses: new Map(),
    transcripts: new Map(),
    decisions: new Map(),
    heartbeats: new Map(),
    secrets: new Map(),
    search: createMemorySearchIndex(),
  };
}

/** The whole store without a disk: for the simulation, for rebuilding, and for tests. */
export function createMemoryStore(disk: MemoryDisk = createMemoryDisk()): Store {
  return {
    ...createReads(disk),
    async load(put, heartbeat) {
      for (const row of openRows(disk.tables)) put(row);
      for (const each of heartbeatsInOrder(disk)) heartbeat(each);
      return disk.log.head();
    },
    async append(group) {
      refuseUnless(disk, group);
      const { tables } = disk;
      const subjects = subjectsOf(group, (id) => tables.tasks.get(id)?.task.project ?? null);
      for (const row of group.rows) tables.put(row);
      for (const response of group.responses) {
        disk.responses.set(response.key, { ...response, body: storable(response.body) });
      }
      for (const entry of group.log) addToTranscript(disk, entry);
      for (const decision of group.decisions) {
        disk.decisions.set(decision.id, JSON.parse(storable(JSON.stringify(decision))));
      }
      for (const heartbeat of group.heartbeats) {
        disk.heartbeats.set(heartbeat.worker, heartbeatFrom(heartbeatCells(heartbeat)));
      }
      for (const { name, value } of group.secrets) {
        if (value === null) disk.secrets.delete(name);
        else disk.secrets.set(name, { name, ...value });
      }
      return disk.log.append(group.events, subjects);
    },
    recall: async (keys) => recallFrom(disk, keys),
    index: async (change) => disk.search.index(disk.tables, change),
    async sweep(before) {
      forget(disk.responses, ({ at }) => at < before.responses);
      forget(disk.decisions, ({ id }) => id < decisionId(before.decisions, ''));
      forget(disk.heartbeats, ({ lastSeen }) => lastSeen < before.log);
      for (const [run, entries] of disk.transcripts) {
        const remaining = entries.filter(({ at }) => at >= before.log);
        if (remaining.length === 0) disk.transcripts.delete(run);
        else disk.transcripts.set(run, remaining);
      }
    },
    close: async () => undefined,
  };
}

/** Checks everything that could fail before anything is written. */
function refuseUnless({ log, tables, transcripts, decisions }: MemoryDisk, group: Group): void {
  const head = log.head();
  const { after, epoch } = group;
  if (epoch !== 0)
    throw new LeadershipLost(`epoch ${epoch} is unknown: this store has only one writer`);
  if (after.seq !== head.seq || after.link !== head.link) {
    throw new LeadershipLost(`the log ends at event ${head.seq}, not at event ${after.seq}`);
  }
  const fault =
    faultInGroup(group) ??
    firstOf(group.rows, (row) => tables.faultIn(row) ?? faultInRow(row)) ??
    firstOf(group.decisions, ({ id }) =>
      decisions.has(id) ? `decision ${id} already exists` : undefined,
    ) ??
    firstOf(group.log, ({ run, n }) =>
      isTaken(transcripts.get(run), n) ? `run ${run} already has an entry ${n}` : undefined,
    );
  if (fault) throw new GroupRefused(`the group was not written: ${fault}`);
}

/** Entries nearly always arrive in order, so checking the last one is usually enough. */
function isTaken(entries: readonly LogEntry[] | undefined, n: number): boolean {
  const last = entries?.at(-1);
  return last !== undefined && last.n >= n && (entries ?? []).some((entry) => entry.n === n);
}

function firstOf<T>(
  items: readonly T[],
  fault: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = fault(item);
    if (found) return found;
  }
  return undefined;
}

function addToTranscript({ transcripts }: MemoryDisk, entry: LogEntry): void {
  const stored = { ...entry, text: storable(entry.text) };
  const entries = transcripts.get(entry.run);
  if (!entries) {
    transcripts.set(entry.run, [stored]);
    return;
  }
  const isNext = (entries.at(-1)?.n ?? 0) < entry.n;
  entries.push(stored);
  if (!isNext) entries.sort((a, b) => a.n - b.n);
}

/** Copies the threads, because the loader adds their tasks to them. */
function* openRows(tables: MemoryTables): Generator<Row> {
  yield* settingsInOrder(tables.settings);
  for (const { thread } of tables.threads.values()) {
    if (isOpen(thread)) yield { table: 'thread', key: thread.id, row: { ...thread } };
  }
  for (const { task } of tables.tasks.values()) {
    if (!isClosed(task.state)) yield { table: 'task', key: task.id, row: task };
  }
  for (const row of tables.workers.values()) {
    if (row.deregistered === null) yield { table: 'worker', key: row.id, row };
  }
  for (const row of tables.runs.values()) {
    if (row.ending === null) yield { table: 'run', key: row.id, row };
  }
}

function heartbeatsInOrder({ heartbeats }: MemoryDisk): readonly Heartbeat[] {
  return [...heartbeats.values()].sort((a, b) => a.worker - b.worker);
}

function forget<K, V>(map: Map<K, V>, isOld: (value: V) => boolean): void {
  for (const [key, value] of map) if (isOld(value)) map.delete(key);
}

function recallFrom(disk: MemoryDisk, keys: Keys): Recalled {
  const { tables } = disk;
  return {
    responses: found(keys.responses, (key) => disk.responses.get(key)),
    tasks: found(keys.tasks, (id) => taskIn(tables, id)?.task),
    threads: found(keys.threads, (id) => threadIn(tables, id)?.thread),
    runs: found(keys.runs, (id) => tables.runs.get(id)),
  };
}

function found<K, V>(keys: readonly K[] = [], get: (key: K) => V | undefined): Map<K, V> {
  return new Map(
    keys.flatMap((key) => {
      const value = get(key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

function decisionsIn({ decisions }: MemoryDisk, query: DecisionQuery): DecisionPage {
  const limit = Math.min(query.limit, SCAN);
  const found = [...decisions.values()]
    .filter((decision) => isAskedFor(decision, query))
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)?.id : undefined };
}

function createReads(disk: MemoryDisk): Reads {
  const { tables, log, transcripts, search } = disk;
  return {
    head: async () => log.head(),
    foldedTo: async () => log.head().seq,
    indexedTo: async () => search.reaches(),
    textsOf: async (ids) =>
      found(ids, (id) => {
        const record = taskIn(tables, id);
        return record && { title: record.title, body: record.body };
      }),
    tasksById: async (ids) => ids.flatMap((id) => taskIn(tables, id) ?? []),
    tasks: async (query) => taskPage(tables, search, query),
    threadsById: async (ids) => ids.flatMap((id) => threadIn(tables, id) ?? []),
    threads: async (query) => threadPage(tables, query),
    tasksOfThread: async (id) =>
      (tables.tasksByThread.get(id) ?? []).flatMap((task) => taskIn(tables, task) ?? []),
    childrenOf: async (parent) =>
      [...tables.threads.values()]
        .filter(({ thread }) => thread.parent === parent)
        .flatMap(({ thread }) => threadIn(tables, thread.id) ?? []),
    run: async (id) => tables.runs.get(id),
    runsOfTask: async (id) => [...tables.runs.values()].filter(({ task }) => task === id),
    worker: async (id) => tables.workers.get(id),
    heartbeats: async () => heartbeatsInOrder(disk),
    notesOfThread: async (id) => [...tables.notes.values()].filter(({ thread }) => thread === id),
    workBefore: async (id, task) => ({
      notes: [...tables.notes.values()].filter(({ thread }) => thread === id),
      runs: [...tables.runs.values()].filter((run) => run.task === task && run.ending !== null),
    }),
    log: async (run, after, limit) =>
      (transcripts.get(run) ?? []).filter(({ n }) => n > after).slice(0, Math.min(limit, SCAN)),
    async logSize(run) {
      const entries = transcripts.get(run) ?? [];
      const sizes = entries.map(({ text }) => characters(text));
      return {
        last: entries.at(-1)?.n ?? 0,
        characters: sizes.reduce((sum, size) => sum + size, 0),
      };
    },
    secrets: async () => [...disk.secrets.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    decisions: async (query) => decisionsIn(disk, query),
    events: async (query) => log.page(query),
    seqAt: async (at) => log.seqAt(at),
    sealed: async (after, limit) => log.sealed(after, limit),
    dump: () => tables.dump(),
  };
}
