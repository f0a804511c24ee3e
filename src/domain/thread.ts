import type { Instant, TaskId, ThreadId } from './ids.ts';
import type { Pause } from './project.ts';
import type { Size } from './size.ts';

/** One issue with its pull request, or a piece of work without either. */
export interface Thread {
  readonly id: ThreadId;
  readonly project: string;
  readonly labels: readonly string[];
  readonly size: Size;
  /** The agent slug of the thread: it names the branch, the key, the card and the memory. */
  readonly agent: string | null;
  /** Threads that must be done before this one starts. */
  readonly dependsOn: readonly ThreadId[];
  /** The dependencies that are not done yet. */
  readonly blockedBy: readonly ThreadId[];
  readonly parent: ThreadId | null;
  /** Children that were not cancelled, and how many of them are done. */
  readonly children: number;
  readonly childrenDone: number;
  /** True once one of its tasks was completed, and for every thread that is done. */
  readonly completed: boolean;
  /** Its open tasks, oldest first. */
  readonly tasks: readonly TaskId[];
  readonly state: ThreadState;
  readonly handedOver: Pause | null;
  readonly forge: ThreadOnForge;
  readonly openedAt: Instant;
}

/**
 * `open` has work left, `done` is merged (or completed without a pull request), `ended` stopped
 * without that, `cancelled` no longer counts as a child.
 */
export const THREAD_STATES = ['open', 'done', 'ended', 'cancelled'] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

export interface ThreadOnForge {
  readonly issue: { readonly number: number; readonly url: string } | null;
  readonly pr: PullRequest | null;
  readonly branch: string | null;
  /** The last known head of its branch. */
  readonly head: string | null;
  /** The result of the checks, with the commit they ran on. */
  readonly checks: Checks | null;
  /** The last review, with the commit it was given for. */
  readonly verdict: Verdict | null;
  /** Who requested a merge as soon as possible. */
  readonly mergeRequestedBy: string | null;
  /** Consecutive reviews that requested changes, and consecutive failures of the checks. */
  readonly rounds: number;
  readonly ciRetries: number;
}

export const CHECK_RESULTS = ['green', 'red'] as const;

export interface Checks {
  readonly commit: string;
  readonly is: (typeof CHECK_RESULTS)[number];
  readonly failing: readonly string[];
  /** Where the branch starts; absent where the forge does not tell. */
  readonly base?: BranchBase;
}

/** The commit of the base branch that a branch starts from. */
export interface BranchBase {
  readonly branch: string;
  readonly commit: string;
  /** The checks that fail on this commit; null until they have run on it. */
  readonly failing: readonly string[] | null;
}

export const REVIEW_VERDICTS = ['approved', 'changes_requested'] as const;

export interface Verdict {
  readonly commit: string;
  readonly is: (typeof REVIEW_VERDICTS)[number];
  readonly by: string;
  /** The type of the agent that gave it; null for a person. */
  readonly type: string | null;
}

export const PULL_REQUEST_STATES = ['open', 'merged', 'closed'] as const;

interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: (typeof PULL_REQUEST_STATES)[number];
  /** Merged without the approval that the policy otherwise asks for. */
  readonly forced?: true | undefined;
}

/** The pull request lives on the board: the hall itself is the forge. */
export function isOwnPullRequest({ url }: PullRequest): boolean {
  return url.startsWith('local:');
}

export const NOT_ON_FORGE: ThreadOnForge = {
  issue: null,
  pr: null,
  branch: null,
  head: null,
  checks: null,
  verdict: null,
  mergeRequestedBy: null,
  rounds: 0,
  ciRetries: 0,
};

export const NO_LABELS: readonly string[] = [];
export const NO_THREADS: readonly ThreadId[] = [];
export const NO_TASKS: readonly TaskId[] = [];

/** The same thread, using less memory: most have no labels and no dependencies. */
export function slimThread(thread: Thread, word: (word: string) => string): Thread {
  const { labels, dependsOn, blockedBy, agent } = thread;
  return {
    ...thread,
    project: word(thread.project),
    labels: labels.length === 0 ? NO_LABELS : labels.map(word),
    dependsOn: dependsOn.length === 0 ? NO_THREADS : dependsOn,
    blockedBy: blockedBy.length === 0 ? NO_THREADS : blockedBy,
    agent: agent === null ? null : word(agent),
  };
}

/** A thread stays in the hall's memory while it has open tasks or unfinished children. */
export function isOpen(thread: Thread): boolean {
  return thread.state === 'open';
}

export function isDone(thread: Thread): boolean {
  return thread.state === 'done';
}

export function awaitsChildren(thread: Thread): boolean {
  return thread.childrenDone < thread.children;
}

/**
 * Whether nothing is left to do, which unblocks dependents and counts for the parent. Its pull
 * request was merged or, without one, the thread was completed, by itself or by its children.
 */
export function isFinished(thread: Thread): boolean {
  if (thread.tasks.length > 0 || awaitsChildren(thread)) return false;
  const { pr } = thread.forge;
  return pr ? pr.state === 'merged' : thread.completed || thread.childrenDone > 0;
}

/** Nothing was done and nothing is left to do: all its parts were cancelled. */
export function isAbandoned(thread: Thread): boolean {
  return (
    thread.tasks.length === 0 && thread.children === 0 && !thread.completed && !thread.forge.pr
  );
}

/** The progress of a split thread, as the board shows it. */
export function progressOf(thread: Thread): string | null {
  return thread.children === 0 ? null : `${thread.childrenDone} of ${thread.children} completed`;
}
