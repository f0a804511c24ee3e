import type { Instant, TaskId, ThreadId } from './ids.ts';
import type { Pause } from './project.ts';
import type { Finding } from './review-findings.ts';
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
  readonly issue: IssueLink | null;
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
  /** Another pull request was merged into its base since its branch was last rebased. */
  readonly isBehind?: true;
  /** Failures since the checks were last green; absent before the first. */
  readonly failures?: readonly Failure[];
  /** The last verdict of each person on the forge; absent before the first. */
  readonly verdicts?: readonly PersonsVerdict[];
  /** Since when the forge has had `head`; absent for pull requests that the hall does not look at there. */
  readonly headAt?: Instant;
  /** What the hall has written on the forge; absent before the first time. */
  readonly written?: Written;
}

export interface IssueLink {
  readonly number: number;
  readonly url: string;
  /** `github:acme/shop`; absent where a worker named the issue. */
  readonly repo?: string;
  /** The code is in another repository. */
  readonly isElsewhere?: true;
  /** Who asked for the work there. */
  readonly actor?: string;
}

/** Null instead of it when the page has more than one, so that the next update deletes the copies. */
interface WrittenCard {
  readonly id: number;
  readonly hash: string;
}

/** The forge shows this because the hall wrote it: comments by their ids, contents by their hashes. */
export interface Written {
  readonly issueCard?: WrittenCard | null;
  readonly pullCard?: WrittenCard | null;
  /** The labels of the hall that it set on the issue. */
  readonly labels?: readonly string[];
  /** Labels that it was about to set: whether they are there is not known until it has an answer. */
  readonly addingLabels?: readonly string[];
  readonly status?: {
    readonly commit: string;
    readonly hash: string;
    /** Of the check run, where the forge has them. */
    readonly id?: number;
  };
  /** When the handover was that people were told about. */
  readonly escalation?: Instant;
  /** The review of an agent: who, on which commit, and the verdict. */
  readonly review?: string;
  /** The people who were asked to review the head again: account and commit. */
  readonly requested?: readonly string[];
}

/** `pending` and `none` (no check appeared) come from forges only; checks that the hall runs end green or red. */
export const CHECK_RESULTS = ['pending', 'green', 'red', 'none'] as const;

export interface Checks {
  readonly commit: string;
  readonly is: (typeof CHECK_RESULTS)[number];
  readonly failing: readonly string[];
  /** Where the branch starts; absent where the forge does not tell. */
  readonly base?: BranchBase;
  /** The files of a red commit, by the name that git gives them; absent where nobody knows. */
  readonly tree?: string;
  /** Failed checks that the hall started once more. */
  readonly rerun?: Rerun;
  /** Checks that the base branch requires and that never started. */
  readonly missing?: readonly string[];
}

/** Flaky checks were started once more on the same commit. */
export interface Rerun {
  readonly names: readonly string[];
  readonly at: Instant;
  /** When the newest failure was that the forge showed before; null where it cannot run them again. */
  readonly newest: Instant | null;
}

/** A commit whose checks failed. */
export interface Failure {
  readonly commit: string;
  readonly tree: string;
  readonly failing: readonly string[];
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
  /** What an agent found, by place; absent where it found nothing at a place. */
  readonly findings?: readonly Finding[];
  /** Those that its last review had too. */
  readonly repeated?: readonly Finding[];
}

/** A verdict that a person gave on the forge; the account's id tells people apart. */
export interface PersonsVerdict extends Verdict {
  readonly account: number;
}

export const PULL_REQUEST_STATES = ['open', 'merged', 'closed'] as const;

/** A pull request on a forge is `opening` from the push of its branch until the forge has it. */
type PullRequest = { readonly state: 'opening' } | KnownPullRequest;

interface KnownPullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: (typeof PULL_REQUEST_STATES)[number];
  /** Merged without the approval that the policy otherwise asks for. */
  readonly forced?: true | undefined;
}

/** The pull request once its forge has it. */
export function knownPullRequest(pr: PullRequest | null): KnownPullRequest | null {
  return pr === null || pr.state === 'opening' ? null : pr;
}

/** Its work is not merged yet, but may be. */
export function isPending(pr: PullRequest | null): boolean {
  return pr?.state === 'open' || pr?.state === 'opening';
}

/** For people: where it is. */
export function urlOf(pr: PullRequest | null): string {
  return knownPullRequest(pr)?.url ?? 'its pull request';
}

/** The pull request lives on the board: the hall itself is the forge. */
export function isOwnPullRequest({ url }: KnownPullRequest): boolean {
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
