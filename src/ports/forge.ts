import type { CheckCommand, Isolation, Limits } from '../domain/project.ts';

/** Where pull requests live. */
export interface Forge {
  /** What the checks say of a commit. Runs them where nobody else does. */
  check(pull: Pull, stop: AbortSignal): Promise<CheckReport>;
  /** Merges a pull request at exactly this commit. */
  merge(pull: Pull): Promise<Merged>;
}

/** A pull request as it stands. */
export interface Pull {
  readonly repo: string;
  /** Names it in folders and logs; no two have the same. */
  readonly name: string;
  readonly title: string;
  readonly number: number;
  readonly branch: string;
  readonly commit: string;
  /** The branch it is merged into; null is the repository's own default. */
  readonly base: string | null;
  readonly who: { readonly name: string; readonly email: string };
  readonly checks: readonly CheckCommand[];
  readonly setup: readonly string[];
  readonly isolation: Isolation | null;
  readonly limits: Limits;
}

export interface CheckReport {
  readonly failing: readonly string[];
  /** The end of what the failing ones printed. */
  readonly excerpt: string;
  /** Why one of them could not even be started, which says nothing of the commit; null when all were. */
  readonly cannotRun: string | null;
}

export type Merged =
  | { readonly is: 'merged'; readonly commit: string }
  | { readonly is: 'conflict'; readonly files: readonly string[] }
  /** The branch is not at this commit any more, or its base moved: to be looked at again. */
  | { readonly is: 'moved' }
  | { readonly is: 'refused'; readonly because: string };
