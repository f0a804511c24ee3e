import type { HallEvent, Recorded } from '../../../src/domain/event.ts';
import type { Hall } from '../../../src/domain/hall.ts';
import type {
  ApprovalId,
  RuleId,
  RunId,
  TaskId,
  ThreadId,
  WorkerId,
} from '../../../src/domain/ids.ts';
import type { Persona } from '../../../src/domain/persona.ts';
import type { AgentType, Instance } from '../../../src/domain/pool.ts';
import type { Project } from '../../../src/domain/project.ts';
import { readPool } from './pool-events.ts';
import { readRun } from './run-events.ts';
import { readThread } from './thread-events.ts';
import { type LedgerApproval, readTool } from './tool-events.ts';

export interface LedgerTask {
  readonly id: TaskId;
  readonly thread: ThreadId;
  readonly project: string;
  readonly title: string;
  skill: string;
  type: string;
  instance: string | null;
  agent: string;
  state: string;
  until: number;
  run: RunId | null;
  crashes: number;
  waited: boolean;
}

export interface LedgerThread {
  readonly id: ThreadId;
  readonly project: string;
  parent: ThreadId | null;
  labels: readonly string[];
  size: string;
  after: readonly ThreadId[];
  readonly waits: Set<ThreadId>;
  readonly children: Set<ThreadId>;
  /** Children that were done when it was closed and have gone on by themselves since. */
  grownUp: number;
  readonly open: Set<TaskId>;
  readonly runs: Set<RunId>;
  state: 'open' | 'done' | 'ended' | 'cancelled';
  pr: 'none' | 'open' | 'merged';
  hasCompleted: boolean;
  isHandedOver: boolean;
}

export interface LedgerRun {
  readonly id: RunId;
  readonly task: TaskId;
  readonly thread: ThreadId;
  readonly project: string;
  readonly worker: WorkerId;
  readonly instance: string;
  readonly agent: string;
  readonly skill: string;
  readonly fence: number;
  readonly invoker: string | null;
  readonly credits: number;
  readonly target: number;
  readonly limit: number;
  isOverTarget: boolean;
  committed: boolean;
  /** Virtual time of its start. */
  startedAt: number | null;
  ended: string | null;
}

export interface LedgerWorker {
  readonly id: WorkerId;
  readonly instance: string;
  readonly projects: readonly string[] | null;
  readonly bringsModel: boolean;
  isDraining: boolean;
  run: RunId | null;
}

export interface LedgerInvoker {
  cap: number;
  projects: readonly string[] | null;
  isPaused: boolean;
  isParked: boolean;
  used: number;
  reserved: number;
}

interface Needs {
  readonly now: () => number;
  readonly fail: (because: string) => void;
}

/**
 * What the durable events say, kept by rules written a second time and as plainly as possible. Every
 * event is checked against them as it is committed, so a promise is broken at the very commit that breaks it.
 */
export class Ledger {
  readonly now: () => number;
  seq = 0;
  at = 0;
  hall: Hall = { paused: null, draining: null, era: 0, window: 0 };
  readonly projects = new Map<string, Project>();
  readonly types = new Map<string, AgentType>();
  readonly personas = new Map<string, Persona>();
  readonly instances = new Map<string, Instance>();
  readonly invokers = new Map<string, LedgerInvoker>();
  readonly threads = new Map<ThreadId, LedgerThread>();
  readonly tasks = new Map<TaskId, LedgerTask>();
  /** Those of them that have not ended. */
  readonly openTasks = new Map<TaskId, LedgerTask>();
  readonly runs = new Map<RunId, LedgerRun>();
  readonly openRuns = new Map<RunId, LedgerRun>();
  readonly workers = new Map<WorkerId, LedgerWorker>();
  readonly gone = new Set<WorkerId>();
  readonly approvals = new Map<ApprovalId, LedgerApproval>();
  readonly rules = new Set<RuleId>();
  /** Those that were ever set. */
  readonly ruled = new Set<RuleId>();
  /** How often each note was written, and which titles tasks were posted under. */
  readonly notes = new Map<string, number>();
  readonly titles = new Map<string, number>();
  /** How often each kind of event happened, and each ending of a run. */
  readonly counts = new Map<string, number>();
  /** Claims that passed a project over although it could have been served. */
  readonly passedOver = new Map<string, number>();
  /** The number of starts of the hall, now and when each project was last served. */
  terms = 0;
  readonly termServed = new Map<string, number>();
  lastFence = 0;
  readonly #fail: (because: string) => void;

  constructor({ now, fail }: Needs) {
    this.now = now;
    this.#fail = fail;
  }

  /** Reads one commit. */
  commit(events: readonly Recorded[]): void {
    for (const recorded of events) this.#read(recorded);
    if (events.some(({ event }) => frees(event))) this.#nobodyIsForgotten();
    for (const { event } of events) this.#threadIsClosed(event);
  }

  fail(because: string): void {
    this.#fail(`event ${this.seq}: ${because}`);
  }

  must(isTrue: boolean, because: string): void {
    if (!isTrue) this.fail(because);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  #read(recorded: Recorded): void {
    const { seq, event, at } = recorded;
    if (seq !== this.seq + 1) this.fail(`event ${seq} follows`);
    this.seq = seq;
    this.at = at;
    this.count(event.type);
    if (readPool(this, event) || readTool(this, event, recorded)) return;
    if (!readRun(this, event, recorded)) readThread(this, event);
  }

  /** A thread in which nothing is left to do has come to an end with the commit that left nothing. */
  #threadIsClosed(event: HallEvent): void {
    if (event.type !== 'RunEnded' && event.type !== 'TaskCancelled') return;
    const id = event.type === 'RunEnded' ? this.runs.get(event.run)?.task : event.task;
    const thread = this.threads.get(this.tasks.get(id as TaskId)?.thread as ThreadId);
    if (thread?.state !== 'open' || thread.open.size > 0 || thread.pr === 'open') return;
    const isAlone = [...thread.children].every((child) => {
      const state = this.threads.get(child)?.state;
      return state === 'done' || state === 'cancelled';
    });
    this.must(!isAlone, `thread ${thread.id} is open though nothing in it is left to do`);
  }

  /** A task without open dependencies is not blocked. */
  #nobodyIsForgotten(): void {
    for (const task of this.openTasks.values()) {
      if (task.state !== 'blocked' || this.threads.get(task.thread)?.waits.size !== 0) continue;
      this.fail(`task ${task.id} is blocked although all it waits for is done`);
    }
  }
}

/** Whether this event could leave a task blocked without open dependencies. */
function frees(event: HallEvent): boolean {
  return event.type === 'RunEnded' ? event.done === true : FREES.has(event.type);
}

const FREES = new Set(['ThreadDone', 'ThreadChanged', 'TaskPosted', 'TaskApproved', 'TaskBlocked']);
