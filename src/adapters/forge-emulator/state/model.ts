import type { PushedCommit } from './event.ts';

/** Everything that the forge knows. Times are milliseconds since 1970; ids are counted per kind. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly kind: 'User' | 'Organization' | 'Bot';
  readonly email: string;
  readonly isAdmin: boolean;
  readonly createdAt: number;
}

export interface Team {
  readonly id: number;
  readonly org: Account;
  readonly slug: string;
  readonly members: Set<Account>;
  /** What its members may do, by repository id. */
  readonly roles: Map<number, Role>;
}

/** In ascending order; each includes the ones before. */
export const FORGE_ROLES = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Role = (typeof FORGE_ROLES)[number];

export interface Repository {
  readonly id: number;
  owner: Account;
  name: string;
  /** Names that redirect to this repository, as `owner/name` in lower case. */
  readonly formerNames: Set<string>;
  readonly isPrivate: boolean;
  readonly defaultBranch: string;
  /** The bare repository. */
  readonly dir: string;
  readonly forkOf: Repository | null;
  readonly createdAt: number;
  pushedAt: number;
  readonly collaborators: Map<Account, Role>;
  readonly labels: Label[];
  readonly issues: Map<number, Issue>;
  readonly deletedIssues: Set<number>;
  readonly comments: Comment[];
  readonly statuses: Status[];
  readonly suites: CheckSuite[];
  readonly checkRuns: CheckRun[];
  readonly workflowRuns: WorkflowRun[];
  readonly protections: Map<string, Protection>;
  readonly hooks: Hook[];
  /** Those that were pushed, by their id. */
  readonly commits: Map<string, PushedCommit>;
  /** Branch heads, as git had them after the last push. */
  branches: Map<string, string>;
  lastNumber: number;
}

export interface Label {
  readonly id: number;
  name: string;
  color: string;
  description: string;
}

/** An issue, or a pull request where `pull` is not null. */
export interface Issue {
  readonly id: number;
  readonly number: number;
  readonly repository: Repository;
  readonly author: Account;
  title: string;
  body: string;
  isOpen: boolean;
  closedAs: 'completed' | 'not_planned' | null;
  labels: Label[];
  assignees: Account[];
  readonly subIssues: Issue[];
  readonly dependsOn: Issue[];
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: Account | null;
  /** How often title or body changed. */
  edits: number;
  readonly timeline: TimelineEntry[];
  readonly pull: Pull | null;
}

export interface Pull {
  readonly id: number;
  /** Null when the fork is gone. */
  readonly headRepository: Repository;
  readonly headBranch: string;
  headSha: string;
  baseBranch: string;
  baseSha: string;
  mergeBase: string;
  isDraft: boolean;
  merged: Merged | null;
  size: PullSize;
  mergeability: Mergeability;
  requestedReviewers: Account[];
  /** Requests that wait for a review, with the id that they have among reviews. */
  readonly reviewRequests: Map<Account, { readonly id: number; readonly at: number }>;
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
}

export type PullIssue = Issue & { readonly pull: Pull };

export interface PullSize {
  readonly commits: number;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

export type Mergeability = 'unknown' | 'clean' | 'conflict';

interface Merged {
  readonly at: number;
  readonly by: Account;
  readonly sha: string;
}

export type ReviewState = 'approved' | 'changes_requested' | 'commented' | 'pending';

export interface Review {
  readonly id: number;
  readonly author: Account;
  readonly state: ReviewState;
  readonly body: string;
  readonly commit: string;
  readonly submittedAt: number;
  /** The id of the timeline entry on forges that count them with comments. */
  readonly commentId: number;
  isDismissed: boolean;
  /** Counts for the protection of the base branch. */
  isOfficial: boolean;
}

export interface ReviewComment {
  readonly id: number;
  readonly review: Review;
  readonly author: Account;
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
  readonly commit: string;
  readonly createdAt: number;
}

export interface Comment {
  readonly id: number;
  readonly issue: Issue;
  readonly author: Account;
  /** The App that wrote it, for bots. */
  readonly viaApp: App | null;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
}

/** Who did what when, which cannot be seen from the issue as it is. */
export type TimelineEntry = {
  readonly id: number;
  readonly actor: Account;
  readonly viaApp: App | null;
  readonly at: number;
} & (
  | { readonly is: 'labeled' | 'unlabeled'; readonly label: Label }
  | { readonly is: 'assigned' | 'unassigned'; readonly assignee: Account }
  | { readonly is: 'review_requested' | 'review_request_removed'; readonly reviewer: Account }
  | { readonly is: 'renamed'; readonly from: string; readonly to: string }
  | { readonly is: 'closed' | 'reopened' | 'head_ref_deleted' }
  | { readonly is: 'merged'; readonly sha: string }
  | { readonly is: 'commented'; readonly comment: Comment }
  | { readonly is: 'reviewed'; readonly review: Review }
);

type StatusState = 'pending' | 'success' | 'failure' | 'error';

export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly state: StatusState;
  readonly description: string;
  readonly targetUrl: string;
  /** Null for the forge's own Actions. */
  readonly creator: Account | null;
  readonly createdAt: number;
}

/** `null` until it is finished. */
export type Conclusion = string | null;

export interface CheckSuite {
  readonly id: number;
  readonly repository: Repository;
  readonly sha: string;
  readonly branch: string;
  readonly app: App;
  readonly createdAt: number;
}

export interface CheckRun {
  readonly id: number;
  readonly suite: CheckSuite;
  name: string;
  isStarted: boolean;
  conclusion: Conclusion;
  output: CheckOutput;
  detailsUrl: string | null;
  externalId: string;
  startedAt: number | null;
  completedAt: number | null;
}

export interface CheckOutput {
  readonly title: string | null;
  readonly summary: string | null;
  readonly text: string | null;
  readonly annotations: number;
}

export interface WorkflowRun {
  readonly id: number;
  readonly repository: Repository;
  readonly number: number;
  readonly workflow: string;
  readonly sha: string;
  readonly branch: string;
  readonly title: string;
  readonly actor: Account;
  readonly suite: CheckSuite | null;
  attempt: number;
  isStarted: boolean;
  conclusion: Conclusion;
  readonly createdAt: number;
  updatedAt: number;
  jobs: WorkflowJob[];
}

export interface WorkflowJob {
  readonly id: number;
  readonly run: WorkflowRun;
  readonly name: string;
  readonly checkRun: CheckRun | null;
  isStarted: boolean;
  conclusion: Conclusion;
  log: string;
  readonly createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
}

/** What must be true before a pull request into this branch is merged. */
export interface Protection {
  readonly requiredChecks: readonly string[];
  readonly requiredApprovals: number;
  readonly dismissesStale: boolean;
  readonly blocksOnRejection: boolean;
}

export interface Hook {
  readonly id: number;
  url: string;
  secret: string;
  events: string[];
  isActive: boolean;
  readonly createdAt: number;
}

export interface App {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly owner: Account;
  readonly bot: Account;
  readonly publicKey: string;
  readonly clientId: string;
  readonly hook: { readonly url: string; readonly secret: string } | null;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly installations: Installation[];
  readonly createdAt: number;
}

/** `read`, `write` or `admin`, by the name of the permission. */
export type Permissions = Readonly<Record<string, string>>;

export interface Installation {
  readonly id: number;
  readonly app: App;
  readonly account: Account;
  /** Null for all repositories of the account. */
  readonly repositories: ReadonlySet<Repository> | null;
  readonly permissions: Permissions;
  readonly createdAt: number;
}

/** Who makes a request, and with which rights. */
export type Caller =
  | { readonly is: 'anonymous' }
  | { readonly is: 'person'; readonly account: Account }
  | { readonly is: 'app'; readonly app: App }
  | InstallationCaller;

interface InstallationCaller {
  readonly is: 'installation';
  readonly installation: Installation;
  readonly account: Account;
  readonly permissions: Permissions;
  readonly repositories: ReadonlySet<Repository> | null;
}

export interface Token {
  readonly caller: Caller;
  readonly expiresAt: number | null;
}
