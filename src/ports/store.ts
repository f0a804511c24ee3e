import type { Recorded } from '../domain/event.ts';
import type { ApprovalId, Instant, RunId, TaskId, ThreadId, WorkerId } from '../domain/ids.ts';
import type { Note, Row } from '../domain/row.ts';
import type { Run } from '../domain/run.ts';
import type { Task, TaskState } from '../domain/task.ts';
import type { Thread } from '../domain/thread.ts';
import type { DECIDERS, VerdictWord } from '../domain/tool-policy/verdict.ts';
import type { Worker } from '../domain/worker.ts';

/** The end of the log: the last event and the link that seals everything up to it. */
export interface Head {
  readonly seq: number;
  /** Hex SHA-256; 64 zeros before the first event. */
  readonly link: string;
}

export const NO_HEAD: Head = { seq: 0, link: '0'.repeat(64) };

/** Everything one commit writes. */
export interface Group {
  readonly after: Head;
  /** The epoch in which the group was decided; always 0 in a store with a single writer. */
  readonly epoch: number;
  readonly events: readonly Appended[];
  /** At most one row for each table and key. */
  readonly rows: readonly Row[];
  readonly responses: readonly StoredResponse[];
  readonly log: readonly LogEntry[];
  readonly decisions: readonly ToolDecision[];
  readonly heartbeats: readonly Heartbeat[];
  /** At most one change for each name. */
  readonly secrets: readonly SecretChange[];
}

/** An event to store. */
export interface Appended extends Recorded {
  /** For imports: the type and body exactly as first stored, so the event keeps its hash. */
  readonly stored?: { readonly type: string; readonly body: string };
}

/** The response to a request with an idempotency key, and a hash of the request. */
export interface StoredResponse {
  readonly key: string;
  readonly request: string;
  readonly status: number;
  readonly body: string;
  readonly at: Instant;
}

/** A piece of a run's transcript, numbered within the run. */
export interface LogEntry {
  readonly run: RunId;
  readonly n: number;
  readonly at: Instant;
  readonly text: string;
}

/**
 * The decision about one tool call, no matter who made it. An observation like the transcript: no event,
 * not part of the fold. Secrets in its command are redacted.
 */
export interface ToolDecision {
  /** Sorts by time; made with `decisionId`. */
  readonly id: string;
  readonly at: Instant;
  readonly run: RunId;
  readonly task: TaskId;
  readonly project: string;
  readonly verdict: VerdictWord;
  readonly by: (typeof DECIDERS)[number];
  readonly tool: string;
  readonly command: string;
  readonly cwd: string;
  readonly rule: string;
  readonly because: string;
  /** The person who decided, if one did. */
  readonly actor: string | null;
  readonly approval: ApprovalId | null;
  /** Milliseconds from the request to the decision. */
  readonly took: number;
}

/** A key that sorts by time; `end` makes it unique. */
export function decisionId(at: Instant, end: string): string {
  return `${Math.max(0, Math.floor(at)).toString(36).padStart(9, '0')}-${end}`;
}

/** The last heartbeat of a worker. Heartbeats are observations: no events, not part of the fold. */
export interface Heartbeat {
  readonly worker: WorkerId;
  readonly lastSeen: Instant;
  /** Milliseconds that its current run has worked, by the hall's monotonic clock. */
  readonly worked: number;
}

/**
 * The encrypted value of a secret. Not an event and not part of the fold: the log is never rewritten, so a
 * value in it could neither be removed nor be encrypted with another key.
 */
export interface SecretValue {
  readonly name: string;
  readonly sealed: string;
  /** The value before, while both are valid. */
  readonly previous: string | null;
}

/** A value to store instead of the one before, or null to delete it. */
export interface SecretChange {
  readonly name: string;
  readonly value: Omit<SecretValue, 'name'> | null;
}

/** Records that a command needs besides the open work in memory. */
export interface Keys {
  readonly responses?: readonly string[];
  readonly tasks?: readonly TaskId[];
  readonly threads?: readonly ThreadId[];
  readonly runs?: readonly RunId[];
}

export interface Recalled {
  readonly responses: ReadonlyMap<string, StoredResponse>;
  readonly tasks: ReadonlyMap<TaskId, Task>;
  readonly threads: ReadonlyMap<ThreadId, Thread>;
  readonly runs: ReadonlyMap<RunId, Run>;
}

/**
 * The storage of the board, with one writer and any number of readers. The tables are the fold of the
 * events: after an `append`, a reader sees both or neither.
 */
export interface Store extends Reads {
  /**
   * Passes all open work to `put`, in the order hall, project, forge, issue, look, cursor, reply, tally, base
   * checks, type, instance, invoker, token, secret, rule, approval, thread, task, worker, run, and the workers'
   * heartbeats to `heartbeat`; returns the
   * end of the log. Threads come without their task lists, and tasks held by a run come as available: the
   * caller derives both from the tasks and runs. The caller owns the rows.
   */
  load(put: (row: Row) => void, heartbeat: (heartbeat: Heartbeat) => void): Promise<Head>;

  /**
   * Writes the whole group or nothing, and resolves once it would survive a power cut. Throws
   * `LeadershipLost` when another writer appended to the log, `GroupRefused` when the store found the
   * group invalid and wrote nothing, `StoreFull` when there is no space for it and nothing was written,
   * and `StoreFailed` when it is unknown what was written.
   */
  append(group: Group): Promise<Head>;

  recall(keys: Keys): Promise<Recalled>;

  /**
   * Puts the present texts of tasks into the search index and moves the event that it reaches, both or
   * neither. Returns false, with nothing written, when it does not reach `from`: another writer moved it.
   * Throws `StoreFull` when there is no space for it.
   */
  index(change: IndexChange): Promise<boolean>;

  /** Deletes responses, log entries, heartbeats and decisions older than their times. Never events or rows. */
  sweep(before: ExpiryTimes): Promise<void>;

  close(): Promise<void>;
}

export interface IndexChange {
  /** The events that the index reaches before and after. */
  readonly from: number;
  readonly to: number;
  readonly tasks: readonly TaskId[];
  /** All tasks of these threads. */
  readonly threads: readonly ThreadId[];
}

/** Older records are deleted; heartbeats expire with the log. */
export interface ExpiryTimes {
  readonly responses: Instant;
  readonly log: Instant;
  readonly decisions: Instant;
}

/** What a worker that starts on a task has to know. */
interface WorkBefore {
  /** The notes in the thread, oldest first. */
  readonly notes: readonly Note[];
  /** The runs of the task that have ended, oldest first. */
  readonly runs: readonly Run[];
}

/** Reads never wait for the writer and may run during a commit. */
export interface Reads {
  head(): Promise<Head>;
  /** The last event folded into the tables; it may trail the log while there are no reads. */
  foldedTo(): Promise<number>;
  /** The last event that searches cover; 0 when the index was never filled. */
  indexedTo(): Promise<number>;
  /** The texts of tasks; unknown ids are left out. */
  textsOf(ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskText>>;
  /** Open and closed tasks with their texts; unknown ids are left out. */
  tasksById(ids: readonly TaskId[]): Promise<readonly TaskRecord[]>;
  /** Newest first. Scans a bounded number of rows, so a short page may still have a next one. */
  tasks(query: TaskQuery): Promise<Page<TaskRecord>>;
  threadsById(ids: readonly ThreadId[]): Promise<readonly ThreadRecord[]>;
  threads(query: ThreadQuery): Promise<Page<ThreadRecord>>;
  tasksOfThread(id: ThreadId): Promise<readonly TaskRecord[]>;
  childrenOf(parent: ThreadId): Promise<readonly ThreadRecord[]>;
  run(id: RunId): Promise<Run | undefined>;
  runsOfTask(id: TaskId): Promise<readonly Run[]>;
  worker(id: WorkerId): Promise<Worker | undefined>;
  heartbeats(): Promise<readonly Heartbeat[]>;
  notesOfThread(id: ThreadId): Promise<readonly Note[]>;
  /** Read with every claim of a thread that was open before this hall started. */
  workBefore(thread: ThreadId, task: TaskId): Promise<WorkBefore>;
  /** The entries of a run after number `after`, oldest first. */
  log(run: RunId, after: number, limit: number): Promise<readonly LogEntry[]>;
  /** The number of the last entry in a run's transcript, and the transcript's length in characters. */
  logSize(run: RunId): Promise<{ readonly last: number; readonly characters: number }>;
  /** All stored secrets, encrypted, by name. */
  secrets(): Promise<readonly SecretValue[]>;
  /** Decisions about tool calls, newest first. */
  decisions(query: DecisionQuery): Promise<DecisionPage>;
  /** In sequence order; `after` and `before` are exclusive. */
  events(query: EventQuery): Promise<Page<Recorded>>;
  /** The last event at or before an instant; 0 when there is none. */
  seqAt(at: Instant): Promise<number>;
  /** The sealed log in order, for verification and export. */
  sealed(after: number, limit: number): Promise<readonly SealedEvent[]>;
  /** Every row of every folded table, for comparison with a rebuilt board. */
  dump(): AsyncIterable<readonly [table: string, key: string, value: string]>;
}

export interface TaskText {
  readonly title: string;
  readonly body: string;
}

export interface TaskRecord extends TaskText {
  readonly task: Task;
}

export interface ThreadRecord {
  readonly thread: Thread;
  readonly title: string;
}

export interface TaskQuery {
  readonly project?: string;
  readonly states?: readonly TaskState['is'][];
  readonly type?: string;
  /**
   * Words that are all in the title, the body or the branch, without case, accents and punctuation. The
   * last one may be the start of a word.
   */
  readonly text?: string;
  /** The branch of the thread. */
  readonly branch?: string;
  /** The address of the issue or pull request, or one in the title or body. */
  readonly link?: string;
  readonly before?: TaskId;
  readonly limit: number;
}

export interface ThreadQuery {
  readonly project?: string;
  readonly before?: ThreadId;
  readonly limit: number;
}

export interface EventQuery {
  readonly after?: number;
  readonly before?: number;
  readonly newestFirst?: boolean;
  readonly project?: string;
  readonly task?: TaskId;
  readonly types?: readonly string[];
  readonly limit: number;
}

export interface DecisionQuery {
  readonly project?: string;
  readonly verdict?: ToolDecision['verdict'];
  readonly by?: ToolDecision['by'];
  readonly run?: RunId;
  readonly since?: Instant;
  readonly until?: Instant;
  /** Only decisions older than this one. */
  readonly before?: string;
  readonly limit: number;
}

export interface DecisionPage {
  readonly rows: readonly ToolDecision[];
  /** Where the next page starts; undefined on the last one. */
  readonly next: string | undefined;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Where the next page starts; undefined on the last one. */
  readonly next: number | undefined;
}

/** An event with its seal: `hash` covers it; `link` (on the last event of a commit) covers all before it. */
export interface SealedEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly actor: string;
  readonly cause: string;
  readonly type: string;
  /** The event as it was hashed, or null when its text was erased. */
  readonly body: string | null;
  readonly hash: string;
  readonly link: string | null;
}

/** A newer version of the hall has changed the store; an older one would lose data that it does not know. */
export class SchemaAhead extends Error {
  override readonly name = 'SchemaAhead';
}

/** Another writer has taken over; this one may no longer write. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}

/** The store refused the group and wrote nothing. Only a bug can cause this. */
export class GroupRefused extends Error {
  override readonly name = 'GroupRefused';
}

/** The store did not answer in time. Nothing was changed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The store has no space for the group, noticed before anything was synced. Nothing was changed. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
}

/** The disk or connection failed. It is unknown what was written, so the hall must answer no more requests. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
}
