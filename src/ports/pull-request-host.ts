import type { Env } from '../domain/env.ts';
import type { CheckCommand, Isolation, Limits, MergeMethod } from '../domain/project.ts';

/** What the hall does for an open pull request: in a folder by itself, on a forge through its API and git. */
export interface PullRequestHost {
  /** The results of a commit's checks. Runs the checks if nothing else does. */
  check(pull: Pull, stop: AbortSignal): Promise<CheckReport>;
  /**
   * Starts failed checks again. Returns when the newest of their failures was, or null where nothing can be
   * started again.
   */
  rerun(pull: Pull, names: readonly string[]): Promise<number | null>;
  /** Where the branch of a pull request and its base are; null for one that does not exist. */
  tips(pull: Pull): Promise<{ readonly branch: string | null; readonly base: string | null }>;
  /** Rebases the branch onto a commit of its base. */
  update(pull: Pull, onto: string): Promise<Updated>;
  /** Merges a pull request at exactly `pull.commit`. */
  merge(pull: Pull): Promise<Merged>;
}

/** The current state of a pull request. */
export interface Pull {
  readonly repo: string;
  /** A unique name, used in folders and logs. */
  readonly name: string;
  readonly title: string;
  /** What a merge says about it below the title; may be empty. */
  readonly description: string;
  readonly number: number;
  readonly branch: string;
  readonly commit: string;
  /** The branch to merge into; null is the repository's default branch. */
  readonly base: string | null;
  readonly mergeMethod: MergeMethod;
  readonly who: { readonly name: string; readonly email: string };
  readonly checks: readonly CheckCommand[];
  readonly setup: readonly string[];
  readonly env: Env;
  readonly isolation: Isolation | null;
  readonly limits: Limits;
}

export interface CheckReport {
  readonly failing: readonly string[];
  /** The last output of the failing checks. */
  readonly excerpt: string;
  /** Why a check could not start, which says nothing about the commit; null when all started. */
  readonly cannotRun: string | null;
  /** Where the branch starts; null when it has no commit in common with its base. */
  readonly base: { readonly branch: string; readonly commit: string } | null;
  /** The files of the commit, by the name that git gives them. */
  readonly tree: string | null;
}

export type Updated =
  /** Also when someone else has moved the branch: this is where it is. */
  | { readonly is: 'updated'; readonly commit: string }
  | { readonly is: 'conflict'; readonly files: readonly string[] }
  | { readonly is: 'refused'; readonly because: string };

export type Merged =
  /** `isUnchanged` when the base has exactly the files of the pull request now. */
  | { readonly is: 'merged'; readonly commit: string; readonly isUnchanged: boolean }
  | { readonly is: 'conflict'; readonly files: readonly string[] }
  /** The branch or its base has moved; the pull request needs another look. */
  | { readonly is: 'moved' }
  /** The forge cannot say yet whether it may be merged; try again later. */
  | { readonly is: 'not_yet'; readonly because: string }
  | { readonly is: 'refused'; readonly because: string };
