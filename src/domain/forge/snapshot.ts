import type { Instant } from '../ids.ts';
import type { PULL_REQUEST_STATES } from '../thread.ts';

/** An account on a forge. Its id tells accounts apart; names can be changed and imitated. */
export interface Account {
  readonly id: number;
  readonly login: string;
  /** As the forge's API says, never guessed from the name. */
  readonly isBot: boolean;
}

/** What an account may do in a repository. */
const PERMISSIONS = ['none', 'read', 'write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * What a forge shows of one thread at one moment, read by its API. Comments and reviews are those after the
 * cursor of the look; everything else is the present state, so that a lost or repeated delivery changes
 * nothing.
 */
export interface ForgeSnapshot {
  /** Null for a pull request without an issue of its own. */
  readonly issue: IssueSnapshot | null;
  readonly pull: PullSnapshot | null;
}

export interface IssueSnapshot {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly author: Account;
  readonly isOpen: boolean;
  readonly updatedAt: Instant;
  readonly labels: readonly SetLabel[];
  readonly assignees: readonly SetAssignee[];
  readonly comments: readonly Comment[];
}

/** A label that is set now, and who set it. */
export interface SetLabel {
  readonly name: string;
  /** Null where the forge does not know any more. */
  readonly by: Account | null;
  readonly at: Instant;
  /** The forge's id of the event; a label that is removed and set again has another. */
  readonly event: string;
}

export interface SetAssignee {
  readonly account: Account;
  readonly by: Account | null;
  readonly at: Instant;
  readonly event: string;
}

export interface Comment {
  readonly id: number;
  readonly author: Account;
  readonly body: string;
  readonly at: Instant;
  readonly url: string;
}

export interface PullSnapshot {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly author: Account;
  readonly state: (typeof PULL_REQUEST_STATES)[number];
  readonly isDraft: boolean;
  readonly branch: string;
  /** False for a branch of a fork. */
  readonly isSameRepository: boolean;
  readonly head: string;
  readonly base: string;
  /** The commit of `base` that the branch starts from; null where the forge does not tell. */
  readonly baseCommit: string | null;
  /** Null while the forge computes it, or does not tell that from a conflict. */
  readonly isMergeable: boolean | null;
  /** Who merged or closed it, where the forge tells. */
  readonly endedBy: Account | null;
  readonly labels: readonly SetLabel[];
  readonly comments: readonly Comment[];
  readonly reviews: readonly ForgeReview[];
  readonly requestedReviewers: readonly Account[];
  /** The checks of `head`, each once by name: the newest of it. The hall's own are not among them. */
  readonly checks: readonly ForgeCheck[];
}

const FORGE_VERDICTS = ['approved', 'changes_requested', 'commented', 'dismissed'] as const;

export interface ForgeReview {
  readonly id: number;
  readonly author: Account;
  readonly is: (typeof FORGE_VERDICTS)[number];
  /** The commit that was reviewed. */
  readonly commit: string;
  readonly body: string;
  readonly comments: readonly ReviewComment[];
  readonly at: Instant;
}

export interface ReviewComment {
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
}

/** `ignored` counts neither as green nor as red: cancelled, skipped, neutral, stale, action required. */
const CHECK_STATES = ['pending', 'green', 'red', 'ignored'] as const;

export interface ForgeCheck {
  readonly name: string;
  readonly is: (typeof CHECK_STATES)[number];
  readonly url: string | null;
  /** Since when it is in this state. */
  readonly at: Instant;
  /** What a rerun needs; null where the forge cannot run it again. */
  readonly rerun: string | null;
}
