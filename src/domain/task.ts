import type { Instant, RunId, TaskId, ThreadId } from './ids.ts';
import type { Size } from './size.ts';

/** One claimable piece of work in a thread. It is in exactly one state, which carries its facts. */
export interface Task {
  readonly id: TaskId;
  readonly thread: ThreadId;
  readonly project: string;
  readonly skill: string;
  /** The agent type that may take it, and the instance if the task requires one by name. */
  readonly type: string;
  readonly instance: string | null;
  /** The slug it runs under; its exclusive key is derived from it. */
  readonly agent: string;
  /** Who requested it. */
  readonly actor: string;
  readonly postedAt: Instant;
  /** How many workers crashed while working on it. */
  readonly crashes: number;
  /** True once its label wait is over and instances without labels may take it. */
  readonly labelWaitExpired: boolean;
  /** The ended task that this one repeats. */
  readonly reopens: TaskId | null;
  readonly state: TaskState;
}

/**
 * Each state says who moves a task on from it, and how long it may stay there. An operator may cancel
 * a task in any state that is not closed.
 */
export type TaskState = Proposed | Blocked | Available | Deferred | Held | AwaitingInput | Closed;

/** A decomposition suggested it. An operator approves it; there is no time limit. */
interface Proposed {
  readonly is: 'proposed';
  readonly since: Instant;
}
/**
 * It depends on threads that are not done. The last of them to be done makes it available. One that
 * ended without being done blocks it until an operator edits its dependencies.
 */
interface Blocked {
  readonly is: 'blocked';
  readonly since: Instant;
}
/**
 * A worker claims it. There is no time limit, and `why` says what stands in the way. After the
 * `label_wait` of its type, instances without its labels may claim it too.
 */
interface Available {
  readonly is: 'available';
  readonly since: Instant;
}
/** It starts no earlier than `until`. The hall's clock makes it available then, an operator earlier. */
interface Deferred {
  readonly is: 'deferred';
  readonly since: Instant;
  readonly until: Instant;
  readonly why: string;
}
/**
 * A worker has it. These states live in the run: claiming does not rewrite the task's row. A worker
 * that is silent for one lease loses it, and an operator may release it at any time.
 *
 * - `claimed`: the worker starts it. The lease is the only time limit.
 * - `running`: the worker reports how it ended. The hall fails it once it has worked for longer than
 *   its size allows.
 * - `awaiting_approval`: an operator answers about a command and the run continues. No answer within
 *   `approval_timeout` is a no. The time does not count as work.
 */
export interface Held {
  readonly is: (typeof HELD_STATES)[number];
  readonly since: Instant;
  readonly run: RunId;
}
/**
 * Its agent asked a person and its run has ended. An operator's answer makes it available again;
 * there is no time limit.
 */
interface AwaitingInput {
  readonly is: 'awaiting_input';
  readonly since: Instant;
  readonly question: string;
  readonly run: RunId;
}
/** Closed for good, whatever the reason. An operator may reopen it, which posts a new task. */
export type Closed = Completed | Failed | Rejected | Cancelled;

/** The worker reported that it is done. A pull request that it opened may still wait to be merged. */
interface Completed {
  readonly is: 'completed';
  readonly since: Instant;
  readonly outcome: CompletedOutcome;
  readonly summary: string;
}
/** The worker reported a failure, its time was over, or it cost more workers than the project allows. */
interface Failed {
  readonly is: 'failed';
  readonly since: Instant;
  readonly reason: FailureReason;
  readonly summary: string;
}
/** The worker's agent declined it and said what would have to change. */
interface Rejected {
  readonly is: 'rejected';
  readonly since: Instant;
  readonly rejection: Rejection;
}
/** An operator ended it. */
interface Cancelled {
  readonly is: 'cancelled';
  readonly since: Instant;
  readonly by: string;
  readonly summary: string;
}

export const COMPLETED_OUTCOMES = [
  'completed',
  'pr_created',
  'comment_posted',
  'rerouted',
] as const;
export type CompletedOutcome = (typeof COMPLETED_OUTCOMES)[number];

/** The failures that a worker may report; the hall finds the other reasons itself. */
export const REPORTED_FAILURES = ['failed', 'max_turns_exceeded'] as const;
export type FailureReason = (typeof REPORTED_FAILURES)[number] | 'timeout' | 'crashed';

export const REJECTION_CODES = [
  'underspecified',
  'out_of_scope',
  'too_large',
  'duplicate',
  'blocked',
  'unsafe',
] as const;

export interface Rejection {
  readonly reasonCode: (typeof REJECTION_CODES)[number];
  readonly message: string;
  readonly missing: readonly string[];
  readonly questions: readonly string[];
  readonly suggestedSize: Size | null;
}

/** The same task, using less memory. */
export function slimTask(task: Task, word: (word: string) => string): Task {
  return {
    ...task,
    project: word(task.project),
    skill: word(task.skill),
    type: word(task.type),
    agent: word(task.agent),
    actor: word(task.actor),
  };
}

export const HELD_STATES = ['claimed', 'running', 'awaiting_approval'] as const;

export const OPEN_STATES = [
  'proposed',
  'blocked',
  'available',
  'deferred',
  ...HELD_STATES,
  'awaiting_input',
] as const satisfies readonly TaskState['is'][];

export const UNSUCCESSFUL_STATES = ['failed', 'rejected', 'cancelled'] as const;

export const CLOSED_STATES = [
  'completed',
  ...UNSUCCESSFUL_STATES,
] as const satisfies readonly TaskState['is'][];

export const TASK_STATES = [...OPEN_STATES, ...CLOSED_STATES] as const;

export function isClosed(state: TaskState): state is Closed {
  return (CLOSED_STATES as readonly string[]).includes(state.is);
}

export type Ended = Task & { readonly state: Closed };

export function hasEnded(task: Task): task is Ended {
  return isClosed(task.state);
}

export function isClosedState(state: TaskState['is']): state is Closed['is'] {
  return (CLOSED_STATES as readonly string[]).includes(state);
}

export function isHeld(state: TaskState): state is Held {
  return isHeldState(state.is);
}

export function isHeldState(state: TaskState['is']): state is Held['is'] {
  return (HELD_STATES as readonly string[]).includes(state);
}

/** Only a person moves it on, by an answer or an approval. */
export function waitsForPerson(state: TaskState): boolean {
  return isProposed(state) || isAwaitingInput(state);
}

export function isAvailable(state: TaskState): boolean {
  return state.is === 'available';
}

export function isBlocked(state: TaskState): boolean {
  return state.is === 'blocked';
}

export function isProposed(state: TaskState): boolean {
  return state.is === 'proposed';
}

export function isDeferred(state: TaskState): state is Deferred {
  return state.is === 'deferred';
}

export function isAwaitingInput(state: TaskState): state is AwaitingInput {
  return state.is === 'awaiting_input';
}

export function isCompleted(state: TaskState): state is Completed {
  return state.is === 'completed';
}

export function isCancelled(state: TaskState): state is Cancelled {
  return state.is === 'cancelled';
}

/** Its worker reported a failure or declined it, or the hall gave it up. */
export function hasFailed(state: TaskState): state is Failed | Rejected {
  return state.is === 'failed' || isRejected(state);
}

export function isRejected(state: TaskState): state is Rejected {
  return state.is === 'rejected';
}
