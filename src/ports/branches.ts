import type { Identity } from './workspace.ts';

/** What the host does with the branches of a repository, from their objects and without a work tree. */
export interface Branches {
  /** Files on which two commits would conflict; empty when they would not. */
  conflicts(one: string, other: string): Promise<readonly string[]>;
  /** Merges a commit into a branch, if the branch has not moved. */
  merge(plan: MergePlan): Promise<BranchUpdate>;
  /** Puts the commits of a branch on another base. The branch is moved only if it is where it was. */
  rebase(plan: RebasePlan): Promise<BranchUpdate>;
  /** Subjects and bodies of the commits that `to` has and `from` has not, at most so many characters. */
  log(from: string, to: string, most: number): Promise<string>;
  /** What `to` changed since it left `from`, as a patch of at most so many characters. */
  diff(from: string, to: string, most: number): Promise<string>;
}

export interface MergePlan {
  readonly commit: string;
  readonly into: string;
  /** Where that branch is. */
  readonly expected: string;
  readonly how: 'merge' | 'squash';
  readonly message: string;
  readonly who: Identity;
  readonly signingKey: string | null;
}

export interface RebasePlan {
  readonly branch: string;
  /** Where the branch is. */
  readonly expected: string;
  readonly onto: string;
  /** Stands as committer; the authors stay. */
  readonly who: Identity;
  readonly signingKey: string | null;
}

export type BranchUpdate =
  /** Also when there was nothing left to do. */
  | { readonly is: 'pushed'; readonly commit: string }
  | { readonly is: 'conflict'; readonly files: readonly string[] }
  | { readonly is: 'moved'; readonly at: string | null }
  | { readonly is: 'refused'; readonly because: string };
