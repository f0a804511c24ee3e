import type { Approval } from './approval.ts';
import type { BaseResult } from './checking/base-results.ts';
import type { ConnectedForge } from './forge/connected-forges.ts';
import type { IssueRecord } from './forge/issue-record.ts';
import type { RequestedLook } from './forge/look.ts';
import type { Reply } from './forge/reply.ts';
import { FRESH_HALL, type Hall } from './hall.ts';
import type { ApprovalId, RuleId, RunId, TaskId, ThreadId, WorkerId } from './ids.ts';
import { Journal, JournaledMap, JournaledSets } from './journaled-map.ts';
import { OrderedPairs } from './ordered-pairs.ts';
import type { Persona } from './persona.ts';
import type { AgentType, Instance } from './pool.ts';
import type { Project, Tally } from './project.ts';
import type { Invoker } from './quota.ts';
import { ReadySet, type Route } from './ready-set.ts';
import type { EligibleInstance } from './routing.ts';
import type { Run } from './run.ts';
import type { EncryptedSecret } from './secret.ts';
import type { ItemRecord, SourceRecord } from './sources/item.ts';
import { type Task, waitsForPerson } from './task.ts';
import { isPending, type Thread } from './thread.ts';
import type { Token } from './token.ts';
import type { Rule } from './tool-policy/rule.ts';
import type { Worker } from './worker.ts';

/**
 * All open work, held by the one writer. Rows are immutable; decisions read them and only `evolve`
 * replaces them. Closed tasks and all texts live in the store.
 */
export class Board {
  readonly journal = new Journal();

  /** The number of the last applied event. */
  seq = 0;
  hall: Hall = FRESH_HALL;

  readonly projects = new JournaledMap<string, Project>(this.journal);
  /** The forges that the configuration connects, by name. */
  readonly forges = new JournaledMap<string, ConnectedForge>(this.journal);
  readonly issues = new JournaledMap<string, IssueRecord>(this.journal);
  readonly looks = new JournaledMap<string, RequestedLook>(this.journal);
  /** How far the changes of each repository were read. */
  readonly cursors = new JournaledMap<string, string>(this.journal);
  readonly replies = new JournaledMap<string, Reply>(this.journal);
  /** The task sources of projects, and the items they had. */
  readonly sources = new JournaledMap<string, SourceRecord>(this.journal);
  readonly items = new JournaledMap<string, ItemRecord>(this.journal);
  readonly tallies = new JournaledMap<string, Tally>(this.journal);
  /** The checks of the last base commits, per project. */
  readonly baseResults = new JournaledMap<string, readonly BaseResult[]>(this.journal);
  readonly types = new JournaledMap<string, AgentType>(this.journal);
  readonly personas = new JournaledMap<string, Persona>(this.journal);
  readonly instances = new JournaledMap<string, Instance>(this.journal);
  readonly invokers = new JournaledMap<string, Invoker>(this.journal);
  readonly tokens = new JournaledMap<string, Token>(this.journal);
  readonly secrets = new JournaledMap<string, EncryptedSecret>(this.journal);
  readonly rules = new JournaledMap<RuleId, Rule>(this.journal);
  readonly approvals = new JournaledMap<ApprovalId, Approval>(this.journal);
  readonly threads = new JournaledMap<ThreadId, Thread>(this.journal);
  readonly tasks = new JournaledMap<TaskId, Task>(this.journal);
  readonly runs = new JournaledMap<RunId, Run>(this.journal);
  readonly workers = new JournaledMap<WorkerId, Worker>(this.journal);

  /** Everything below is derived from the rows above and spares a claim the search. */
  readonly runningIn = new JournaledMap<string, number>(this.journal);
  readonly runningAs = new JournaledMap<string, number>(this.journal);
  readonly runOf = new JournaledMap<WorkerId, RunId>(this.journal);
  readonly approvalsOf = new JournaledMap<RunId, readonly ApprovalId[]>(this.journal);
  readonly runsIn = new JournaledMap<ThreadId, readonly RunId[]>(this.journal);
  readonly dependents = new JournaledSets<ThreadId, ThreadId>(this.journal);
  /** The key of the item that a thread was posted for. */
  readonly itemOf = new JournaledMap<ThreadId, string>(this.journal);
  readonly openIn = new JournaledMap<string, number>(this.journal);
  /** Open tasks per project and state, so showing the board needs no count. */
  readonly inState = new JournaledMap<string, number>(this.journal);
  /** Tasks that only a person moves on: those with a question, and proposed ones. */
  readonly tasksForPerson = new JournaledMap<TaskId, true>(this.journal);
  /** Threads that an overview names one by one: handed over, split, or with an open pull request. */
  readonly notableThreads = new JournaledMap<ThreadId, true>(this.journal);
  /** Threads with a parent, children or dependencies. Those that others wait for are the keys of `dependents`. */
  readonly relatedThreads = new JournaledMap<ThreadId, true>(this.journal);
  /** When each project was last served; the next claim prefers another. */
  readonly lastServed = new JournaledMap<string, number>(this.journal);
  readonly ready = new ReadySet(this.journal);
  /** Deferred tasks by due time, and tasks with a label wait by the time it expires. */
  readonly due = new OrderedPairs();

  /** The labels that instances of a type request. Other labels never affect who may take a task. */
  readonly requestedLabels = new JournaledMap<string, readonly string[]>(this.journal);
  /** The eligible instances of a route, computed on first use and dropped when the pool changes. */
  eligible = new WeakMap<Route, readonly EligibleInstance[]>();

  readonly #words = new Map<string, string>();

  /** Closed since the last commit: no longer among the open rows and not yet in the store. */
  readonly closing = { tasks: new Map<TaskId, Task>(), threads: new Map<ThreadId, Thread>() };

  /** Where something may have become claimable since the last check of the waiting workers. */
  wakeups: Wakeups = noWakeups();

  /**
   * Returns the shared copy of a string that many rows have. Each request and each loaded row
   * brings its own copy of the same few names, which at 200,000 tasks is a third of their memory.
   */
  intern(intern: string): string {
    const known = this.#words.get(intern);
    if (known !== undefined) return known;
    if (this.#words.size >= MAX_WORDS) this.#words.clear();
    this.#words.set(intern, intern);
    return intern;
  }

  setHall(hall: Hall): void {
    const before = this.hall;
    this.journal.note(() => {
      this.hall = before;
    });
    this.hall = hall;
  }

  advance(seq: number): void {
    const before = this.seq;
    this.journal.note(() => {
      this.seq = before;
    });
    this.seq = seq;
  }

  addDue(at: number, task: TaskId): void {
    if (this.due.add(at, task)) this.journal.note(() => this.due.remove(at, task));
  }

  removeDue(at: number, task: TaskId): void {
    if (this.due.remove(at, task)) this.journal.note(() => this.due.add(at, task));
  }

  openAs(project: string, state: Task['state']['is']): number {
    return this.inState.get(stateKey(project, state)) ?? 0;
  }

  putTask(task: Task): void {
    const before = this.tasks.get(task.id)?.state.is;
    this.tasks.set(task.id, task);
    if (before === task.state.is) return;
    mark(this.tasksForPerson, task.id, waitsForPerson(task.state));
    if (before) this.count(this.inState, stateKey(task.project, before), -1);
    this.count(this.inState, stateKey(task.project, task.state.is), 1);
  }

  dropTask(id: TaskId): void {
    const before = this.tasks.get(id);
    if (!before) return;
    this.tasks.delete(id);
    mark(this.tasksForPerson, id, false);
    this.count(this.inState, stateKey(before.project, before.state.is), -1);
  }

  putThread(thread: Thread): void {
    this.threads.set(thread.id, thread);
    mark(this.notableThreads, thread.id, isNotable(thread));
    mark(this.relatedThreads, thread.id, isRelated(thread));
  }

  dropThread(id: ThreadId): void {
    this.threads.delete(id);
    mark(this.notableThreads, id, false);
    mark(this.relatedThreads, id, false);
  }

  count(counts: JournaledMap<string, number>, key: string, by: 1 | -1): void {
    const next = (counts.get(key) ?? 0) + by;
    if (next === 0) counts.delete(key);
    else counts.set(key, next);
  }

  commit(): void {
    this.journal.commit();
    this.ready.commit();
    this.#forgetClosing();
  }

  /** Undoes everything since the last commit, indexes included. */
  rollback(): void {
    this.journal.rollback();
    this.#forgetClosing();
    this.eligible = new WeakMap();
    this.wakeups = noWakeups();
  }

  #forgetClosing(): void {
    this.closing.tasks.clear();
    this.closing.threads.clear();
  }
}

function isNotable({ handedOver, children, forge }: Thread): boolean {
  return handedOver !== null || children > 0 || isPending(forge.pr);
}

function isRelated({ parent, children, dependsOn }: Thread): boolean {
  return parent !== null || children > 0 || dependsOn.length > 0;
}

/** Adds a key to an index or removes it. Writes nothing, and so no undo step, where nothing changes. */
export function mark<K>(index: JournaledMap<K, true>, key: K, belongs: boolean): void {
  if (index.has(key) === belongs) return;
  if (belongs) index.set(key, true);
  else index.delete(key);
}

export function stateKey(project: string, state: Task['state']['is']): string {
  return `${project} ${state}`;
}

const MAX_WORDS = 10_000;

export interface Wakeups {
  all: boolean;
  readonly projects: Set<string>;
  readonly instances: Set<string>;
}

export function noWakeups(): Wakeups {
  return { all: false, projects: new Set(), instances: new Set() };
}
