import { Board } from '../../src/domain/board.ts';
import type { HallEvent, OpenedThread, PostedTask, Recorded } from '../../src/domain/event.ts';
import { evolve } from '../../src/domain/evolve.ts';
import {
  fenceFor,
  type RunId,
  type TaskId,
  type ThreadId,
  type WorkerId,
} from '../../src/domain/ids.ts';
import { DEFAULT_INSTANCE_SETTINGS, DEFAULT_TYPE_SETTINGS } from '../../src/domain/pool.ts';
import type { Posted } from '../../src/domain/posting.ts';
import { DEFAULT_PROJECT_SETTINGS, type Project } from '../../src/domain/project.ts';
import { mergeRows, type Row } from '../../src/domain/row.ts';
import type { Ending, Result } from '../../src/domain/run.ts';
import { defaultType } from '../../src/domain/skill.ts';
import type { TaskState } from '../../src/domain/task.ts';
import { isOpen, NO_LABELS, NO_THREADS, type Thread } from '../../src/domain/thread.ts';
import { type Group, type Head, NO_HEAD, type Store } from '../../src/ports/store.ts';

/** Monday, 2025-01-06, 09:00 UTC. */
export const NINE = Date.UTC(2025, 0, 6, 9);

type Besides = Partial<Pick<Group, 'responses' | 'log' | 'decisions' | 'heartbeats' | 'secrets'>>;

/**
 * Makes events, folds them into its own board, and passes them to a store group by group, like the writer of a
 * hall. Its methods decide nothing: they record their arguments.
 */
export class History {
  readonly board = new Board();
  /** The last state of closed threads, for opening them again. */
  readonly shut = new Map<ThreadId, Thread>();
  readonly epoch: number;
  head: Head = NO_HEAD;
  at = NINE;
  #events: Recorded[] = [];
  #rows: Row[] = [];

  constructor(epoch = 0) {
    this.epoch = epoch;
  }

  get next(): number {
    return this.board.seq + 1;
  }

  record(event: HallEvent, actor = 'ada'): this {
    this.at += 1_000;
    const recorded = { seq: this.next, at: this.at, actor, cause: `request-${this.next}`, event };
    const rows = evolve(this.board, recorded);
    this.#events.push(recorded);
    this.#rows.push(...rows);
    for (const row of rows) {
      if (row.table !== 'thread') continue;
      if (isOpen(row.row)) this.shut.delete(row.key);
      else this.shut.set(row.key, row.row);
    }
    return this;
  }

  /** The events recorded since the last group. */
  group(besides: Besides = {}): Group {
    const group = {
      after: this.head,
      epoch: this.epoch,
      events: this.#events,
      rows: mergeRows(this.#rows),
      responses: [],
      log: [],
      decisions: [],
      heartbeats: [],
      secrets: [],
      ...besides,
    };
    this.#events = [];
    this.#rows = [];
    this.board.commit();
    return group;
  }

  async commit(store: Pick<Store, 'append'>, besides: Besides = {}): Promise<Head> {
    this.head = await store.append(this.group(besides));
    return this.head;
  }

  project(name: string, settings: Partial<Project['settings']> = {}): this {
    const project: Project = {
      name,
      settings: { ...DEFAULT_PROJECT_SETTINGS, crashRequeues: 2, ...settings },
      declared: null,
      paused: null,
      addedAt: this.at,
    };
    return this.record({ type: 'ProjectSet', project });
  }

  agentType(name: string, labelWait: number | null = null): this {
    const git = { name, email: `${name}@example.org` };
    const settings = { ...DEFAULT_TYPE_SETTINGS, model: 'a-model', git, labelWait };
    return this.record({ type: 'TypeSet', agentType: { name, settings, declared: null } });
  }

  instance(name: string, type: string, matchLabels: readonly string[] = []): this {
    const settings = { ...DEFAULT_INSTANCE_SETTINGS, matchLabels };
    const times = { addedAt: this.at, changedAt: this.at };
    return this.record({
      type: 'InstanceSet',
      instance: { name, type, settings, paused: null, ...times },
    });
  }

  invoker(handle: string, weeklyCap = 100): this {
    const settings = { weeklyCap, projects: null, personal: false, share: false };
    const spent = { used: 0, reserved: 0, lastUsed: 0 };
    return this.record({
      type: 'InvokerSet',
      invoker: { handle, settings, declared: null, paused: null, parkedUntil: null, ...spent },
    });
  }

  /** A task in its own thread. */
  post(
    project: string,
    facts: Partial<PostedTask> = {},
    opens: Partial<OpenedThread> = {},
  ): Posted {
    const thread = this.next as ThreadId;
    const task = this.#task({ thread, project, ...facts });
    this.record({ type: 'TaskPosted', task, opens: { ...PLAIN_THREAD, ...opens } });
    return { task: task.id, thread };
  }

  /** One more task in a thread. */
  join(thread: ThreadId, facts: Partial<PostedTask> = {}): TaskId {
    const project = this.board.threads.get(thread)?.project ?? '';
    const task = this.#task({ thread, project, ...facts });
    this.record({ type: 'TaskPosted', task, opens: null });
    return task.id;
  }

  #task(facts: Partial<PostedTask> & Pick<PostedTask, 'thread' | 'project'>): PostedTask {
    const id = this.next as TaskId;
    const skill = facts.skill ?? 'implement';
    return {
      id,
      skill,
      type: defaultType(skill),
      instance: null,
      agent: defaultType(skill),
      actor: 'ada',
      reopens: null,
      state: { is: 'available', since: this.at + 1_000 },
      title: `Task ${id}`,
      body: '',
      ...facts,
    };
  }

  worker(instance: string): WorkerId {
    const id = this.next as WorkerId;
    const worker = {
      id,
      instance,
      projects: null,
      bringsModel: true,
      tokenHash: `hash-${id}`,
      host: 'host-1',
      registeredAt: this.at + 1_000,
    };
    this.record({ type: 'WorkerRegistered', worker });
    return id;
  }

  claim(task: TaskId, worker: WorkerId, invoker: string | null = null): RunId {
    const id = this.next as RunId;
    const fence = fenceFor(this.board.hall.era, id);
    const credits = invoker === null ? 0 : 1;
    const run = { id, task, worker, fence, invoker, credits, limit: 3_600_000 };
    this.record({ type: 'RunClaimed', run }, `w-${worker}`);
    return id;
  }

  end(run: RunId, ending: Ending, task: TaskState = afterEnding(ending, run)): this {
    const done = ending.how === 'completed' && this.#isLast(run) && ending.result.pr === null;
    return this.record({ type: 'RunEnded', run, ending, task, ...(done && { done }) });
  }

  #isLast(run: RunId): boolean {
    const thread = this.board.threads.get(this.board.runs.get(run)?.thread ?? (0 as ThreadId));
    return thread?.tasks.length === 1 && thread.childrenDone >= thread.children;
  }

  /** Claims a task and completes it. */
  complete(task: TaskId, worker: WorkerId): RunId {
    const run = this.claim(task, worker);
    this.record({ type: 'RunStarted', run });
    const ending = { at: this.at, how: 'completed', outcome: 'completed', result: RESULT } as const;
    this.end(run, ending);
    return run;
  }
}

export const RESULT: Result = {
  summary: 'did it',
  branch: null,
  commit: null,
  pr: null,
  details: null,
};

/** The state of the task unless another one is given. */
export function afterEnding(ending: Ending, run: RunId): TaskState {
  const since = ending.at;
  switch (ending.how) {
    case 'completed':
      return {
        is: 'completed',
        since,
        outcome: ending.outcome,
        summary: ending.result.summary,
      };
    case 'failed':
      return { is: 'failed', since, reason: ending.reason, summary: ending.result.summary };
    case 'rejected':
      return { is: 'rejected', since, rejection: ending.rejection };
    case 'asked':
      return { is: 'awaiting_input', since, question: ending.question, run };
    case 'deferred':
      return { is: 'deferred', since, until: ending.until, why: ending.why };
    case 'lost':
    case 'released':
      return { is: 'available', since };
    case 'cancelled':
      return { is: 'cancelled', since, by: 'ada', summary: ending.because };
  }
}

const PLAIN_THREAD: OpenedThread = {
  labels: NO_LABELS,
  size: 'M',
  agent: null,
  dependsOn: NO_THREADS,
  blockedBy: NO_THREADS,
  parent: null,
};
