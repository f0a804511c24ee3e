import type { Recorded } from '../domain/event.ts';
import type { ApprovalId, Instant, RunId, TaskId, ThreadId, WorkerId } from '../domain/ids.ts';
import type { Note, Row } from '../domain/row.ts';
import type { Run } from '../domain/run.ts';
import type { Task, TaskState } from '../domain/task.ts';
import type { Thread } from '../domain/thread.ts';
import type { DECIDERS, VerdictWord } from '../domain/tool-verdict.ts';
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
  /** The leadership under which it was decided; a store with one writer only has epoch 0. */
  readonly epoch: number;
  readonly events: readonly Appended[];
  /** At most one row for each table and key. */
  readonly rows: readonly Row[];
  readonly responses: readonly StoredResponse[];
  readonly log: readonly LogEntry[];
  readonly decisions: readonly ToolDecision[];
  readonly heartbeats: readonly Heartbeat[];
}

/** An event that is to be stored. */
export interface Appended extends Recorded {
  /** Its type and body to the letter, where it was stored before: what an import writes must hash as it did. */
  readonly stored?: { readonly type: string; readonly body: string };
}

/** What a request with an idempotency key was answered, and a hash of what it asked. */
export interface StoredResponse {
  readonly key: string;
  readonly request: string;
  readonly status: number;
  readonly body: string;
  readonly at: Instant;
}

/** A piece of a run's transcript. Numbered by its run. */
export interface LogEntry {
  readonly run: RunId;
  readonly n: number;
  readonly at: Instant;
  readonly text: string;
}

/**
 * What was decided about one call of a tool, whoever decided it. An observation like the transcript:
 * no event, no part of the fold. Its command is without secrets.
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
  /** The person, where one decided. */
  readonly actor: string | null;
  readonly approval: ApprovalId | null;
  /** Milliseconds from the question to the decision. */
  readonly took: number;
}

/** A key that sorts by time and is told apart by its end. */
export function decisionId(at: Instant, end: string): string {
  return `${Math.max(0, Math.floor(at)).toString(36).padStart(9, '0')}-${end}`;
}

/** The last heartbeat of a worker. Heartbeats are observations, not history: no event, no part of the fold. */
export interface Heartbeat {
  readonly worker: WorkerId;
  readonly lastSeen: Instant;
  /** Milliseconds its present run has worked, by the hall's monotonic clock. */
  readonly worked: number;
}

/** What a command needs that is not among the open work in memory. */
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
 * Where the board is kept. One writer appends; anybody reads.
 *
 * The tables are the fold of the events: whoever reads after an `append` finds both or nothing of it.
 */
export interface Store extends Reads {
  /**
   * Hands over all open work, in the order hall, project, tally, type, instance, invoker, token, rule,
   * approval, thread, task, worker, run, with the heartbeats of the workers, and says where the log ends.
   * A thread comes without its list of tasks and a task that a run holds comes as available: both
   * follow from the tasks and runs that are handed over too. The rows are the caller's own.
   */
  load(put: (row: Row) => void, heartbeat: (heartbeat: Heartbeat) => void): Promise<Head>;

  /**
   * Writes the group durably, or nothing of it. Answers after it would survive a power cut.
   * Throws `LeadershipLost` when the log moved on without this writer, `GroupRefused` when the store found
   * the group wrong and wrote nothing, and `StoreFailed` when it cannot be known what was written.
   */
  append(group: Group): Promise<Head>;

  recall(keys: Keys): Promise<Recalled>;

  /** Forgets responses, log entries, heartbeats and decisions older than the instant. Never events or rows. */
  sweep(before: ExpiryTimes): Promise<void>;

  close(): Promise<void>;
}

/** What is older than this is forgotten; heartbeats go with the log. */
export interface ExpiryTimes {
  readonly responses: Instant;
  readonly log: Instant;
  readonly decisions: Instant;
}

/** Reading never waits for the writer and may run while it commits. */
export interface Reads {
  head(): Promise<Head>;
  /** The event up to which the tables are folded: the end of the log, or before it while nobody looks. */
  foldedTo(): Promise<number>;
  /** What is written in tasks; unknown ids are left out. */
  textsOf(ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskText>>;
  /** Open and closed tasks with their words; unknown ids are left out. */
  tasksById(ids: readonly TaskId[]): Promise<readonly TaskRecord[]>;
  /** Newest first. Looks at no more than a bounded number of rows, so a page may be short and still have a next. */
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
  /** The entries of a run after number `after`, oldest first. */
  log(run: RunId, after: number, limit: number): Promise<readonly LogEntry[]>;
  /** The number of the last entry in the transcript of a run, and how many characters it has. */
  logSize(run: RunId): Promise<{ readonly last: number; readonly characters: number }>;
  /** What was decided about calls of tools, newest first. */
  decisions(query: DecisionQuery): Promise<DecisionPage>;
  /** In order of their sequence; `after` and `before` are exclusive. */
  events(query: EventQuery): Promise<Page<Recorded>>;
  /** The last event at or before an instant, 0 when there is none. */
  seqAt(at: Instant): Promise<number>;
  /** The log as it is sealed, in order, for verification and export. */
  sealed(after: number, limit: number): Promise<readonly SealedEvent[]>;
  /** Every row of every table that the events fold into, for comparison with a rebuilt board. */
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
  /** Part of the title, any case. */
  readonly text?: string;
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
  /** Only those older than this one. */
  readonly before?: string;
  readonly limit: number;
}

export interface DecisionPage {
  readonly rows: readonly ToolDecision[];
  /** Where to go on; undefined at the end. */
  readonly next: string | undefined;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Where to go on; undefined at the end. */
  readonly next: number | undefined;
}

/** One event with its seal: `hash` covers it, `link` (on the last of a commit) covers all before it. */
export interface SealedEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly actor: string;
  readonly cause: string;
  readonly type: string;
  /** The event as it was hashed, or null when its words were erased. */
  readonly body: string | null;
  readonly hash: string;
  readonly link: string | null;
}

/** Another writer has taken over; this one may write nothing more. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}

/** The store refused the group as it was, which only a bug can cause, and wrote nothing. */
export class GroupRefused extends Error {
  override readonly name = 'GroupRefused';
}

/** The store could not be asked in time. Asking changed nothing. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The disk or the connection failed: what was written is not known, so nothing more may be answered. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
}
