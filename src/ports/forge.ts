import type {
  Account,
  ForgeCheck,
  ForgeSnapshot,
  Permission,
  ReviewComment,
} from '../domain/forge/snapshot.ts';
import type { Instant } from '../domain/ids.ts';
import type { MergeMethod } from '../domain/project.ts';

/**
 * A host of issues and pull requests: GitHub, Gitea, Forgejo, or a folder. The hall looks and acts; a
 * webhook only says where to look. Every write is idempotent: a caller that does not know whether an
 * earlier try succeeded repeats it, and finds what that try made. Throws `ForgeFailed`.
 */
export interface Forge {
  readonly can: ForgeCapabilities;

  /** The account that the hall acts as. What it does on the forge triggers nothing. */
  account(): Promise<Account>;
  /** Whether the repository is there under this name, as far as the hall may see. */
  exists(repo: string): Promise<boolean>;
  /** The present state of a thread; null when neither its issue nor its pull request exists. */
  look(target: LookTarget): Promise<ForgeSnapshot | null>;
  /** The checks of any commit of the repository, each once by name, without the hall's own. */
  checksOf(repo: string, commit: string): Promise<readonly ForgeCheck[]>;
  /** The checks that a branch requires of what is merged into it. */
  requiredChecks(repo: string, branch: string): Promise<readonly string[]>;
  /** The files of a commit, by the name that git gives them; null where the forge does not know it. */
  treeOf(repo: string, commit: string): Promise<string | null>;
  /** The last lines of a failed check; empty where the forge has none. */
  outputOf(repo: string, check: ForgeCheck): Promise<string>;
  /**
   * Whether the checks of a commit may be others than when this was asked last, by one call. True the first
   * time; false only if nothing changed that `checksOf` shows, at the latest when it is asked once more.
   */
  haveChecksChanged(repo: string, commit: string): Promise<boolean>;
  /**
   * Issues and pull requests that changed at a moment or after it. Without one it returns the open ones that
   * have a label of the hall, so that work labelled before the hall was connected is found.
   */
  changedSince(repo: string, since: Instant | null): Promise<ForgeChanges>;
  /** The open issues that have all these labels; pull requests are not among them. */
  openIssues(repo: string, labels: readonly string[]): Promise<OpenIssues>;
  permissionOf(repo: string, account: Account): Promise<Permission>;
  /** Of `org/team`, or of an organisation by its name, as the hall sees it from a repository. */
  isInTeam(repo: string, team: string, account: Account): Promise<boolean>;

  /** Opens the pull request of a branch, or finds it: there is never a second one. */
  ensurePullRequest(plan: PullRequestPlan): Promise<PullRequestPlace>;
  /** Writes the one comment with a marker: edits it, creates it, and deletes later copies. */
  ensureComment(plan: CommentPlan): Promise<{ readonly id: number }>;
  /** Adds and removes labels; creates those that the repository lacks. */
  setLabels(plan: LabelPlan): Promise<void>;
  /** One check run or status for each name and commit, changed in place. */
  setStatus(plan: StatusPlan): Promise<{ readonly id: number | null }>;
  /** One review with all its comments in one call. Falls back to a plain comment on the own pull request. */
  submitReview(plan: ReviewPlan): Promise<void>;
  requestReview(plan: { repo: string; number: number; login: string }): Promise<void>;
  /** False where the forge cannot run it again. */
  rerun(repo: string, check: ForgeCheck): Promise<boolean>;
  merge(plan: MergePlan): Promise<ForgeMerge>;
  /** Also when it does not exist. */
  deleteBranch(repo: string, branch: string): Promise<void>;
  closeIssue(repo: string, number: number): Promise<void>;

  /** How many calls the hall still has. */
  callBudget(): CallBudget;

  /** Where git fetches and pushes a repository, with a credential that lives as short as the forge allows. */
  gitAccess(repo: string, right: 'read' | 'write'): Promise<GitAccess>;
}

export interface CallBudget {
  readonly writesInLastMinute: number;
  readonly maxWritesPerMinute: number;
  /** As the last answer of the forge said; null where it does not say. */
  readonly rate: { readonly limit: number; readonly remaining: number } | null;
}

/** How forges differ, so that no other code asks for their kind. */
interface ForgeCapabilities {
  /** False for a folder: it has neither issues nor comments, labels, reviews or CI of its own. */
  readonly issues: boolean;
  readonly checkRuns: boolean;
  readonly rerunsChecks: boolean;
  /** Tokens that expire by themselves, for one repository. */
  readonly shortLivedTokens: boolean;
  /** False for a GitHub App: its account cannot be assigned to an issue. */
  readonly assignable: boolean;
  readonly subIssues: boolean;
}

export interface LookTarget {
  /** `owner/name`. */
  readonly repo: string;
  /** Issues and pull requests share their numbers; the forge finds out which it is. */
  readonly number: number;
  /** The pull request of the thread, if it is another number; null lets the forge look for `branch`. */
  readonly pull: {
    readonly repo: string;
    readonly number: number | null;
    readonly branch: string;
  } | null;
  /** Comments and reviews up to these ids were seen. */
  readonly seen: { readonly comment: number; readonly review: number };
}

export interface ForgeChanges {
  readonly changes: readonly ForgeChange[];
  /** When the newest of all that were read changed; null when there was none. */
  readonly newest: Instant | null;
}

export interface ForgeChange {
  readonly number: number;
  /** By the forge's clock, which shows whole seconds. */
  readonly updatedAt: Instant;
}

export interface OpenIssues {
  readonly issues: readonly { readonly number: number; readonly title: string }[];
  /** False if the forge has more than were read. */
  readonly isComplete: boolean;
}

export interface PullRequestPlan {
  readonly repo: string;
  readonly branch: string;
  /** Null is the repository's default branch. */
  readonly base: string | null;
  readonly title: string;
  readonly body: string;
}

export interface PullRequestPlace {
  readonly number: number;
  readonly url: string;
}

export interface CommentPlan {
  readonly repo: string;
  readonly number: number;
  /** An HTML comment that the text begins with; it identifies the comment whatever else changes. */
  readonly marker: string;
  readonly text: string;
  /** Where it was last; null when that is unknown. */
  readonly id: number | null;
}

export interface LabelPlan {
  readonly repo: string;
  readonly number: number;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface StatusPlan {
  readonly repo: string;
  readonly commit: string;
  /** Begins with `[Hall]`. */
  readonly name: string;
  readonly is: 'pending' | 'success' | 'failure';
  readonly summary: string;
  readonly url: string | null;
  /** The check run that was written before; null when that is unknown. */
  readonly id: number | null;
}

export interface ReviewPlan {
  readonly repo: string;
  readonly number: number;
  readonly commit: string;
  readonly is: 'approved' | 'changes_requested' | 'commented';
  readonly body: string;
  /** On lines of the change; a forge that refuses one gets them all as text. */
  readonly comments: readonly ReviewComment[];
  /** Identifies the review, so that a repeated call finds it. */
  readonly marker: string;
}

export interface MergePlan {
  readonly repo: string;
  readonly number: number;
  /** Merges exactly this commit or nothing. */
  readonly commit: string;
  readonly method: MergeMethod;
  readonly title: string;
}

export type ForgeMerge =
  | { readonly is: 'merged'; readonly commit: string }
  /** The forge still computes whether it can be merged, or a required check is not done. Try again later. */
  | { readonly is: 'not_yet'; readonly because: string }
  /** It conflicts with its base. Gitea and Forgejo cannot tell this from `not_yet`. */
  | { readonly is: 'conflict' }
  /** The branch has moved. */
  | { readonly is: 'moved' }
  | { readonly is: 'refused'; readonly because: string };

export interface GitAccess {
  readonly url: string;
  readonly credential: string;
  /** Null when it does not expire by itself. */
  readonly expiresAt: number | null;
}

/** The forge answered with a failure, or did not answer. */
export class ForgeFailed extends Error {
  override readonly name = 'ForgeFailed';
  /** `later` after a wait, `never` until a person changes something. */
  readonly retry: 'later' | 'never';
  /** How long the forge asked to wait, in milliseconds; null when it did not say. */
  readonly waitFor: number | null;

  constructor(
    message: string,
    facts: {
      readonly retry: 'later' | 'never';
      readonly waitFor?: number | null;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.retry = facts.retry;
    this.waitFor = facts.waitFor ?? null;
  }
}
