import type { MergeMethod } from '../domain/project.ts';
import type { Identity } from './workspace.ts';

/** Branch operations of the host. They work on the objects of a repository, without a work tree. */
export interface Branches {
  /** Files in which merging the two commits would conflict. */
  conflicts(one: string, other: string): Promise<readonly string[]>;
  /** The newest commit that both have in their history; null when there is none. */
  mergeBase(one: string, other: string): Promise<string | null>;
  /** The files of a commit, by the name that git gives them. */
  treeOf(commit: string): Promise<string | null>;
  /** The two commits have the same files. */
  haveSameFiles(one: string, other: string): Promise<boolean>;
  /** Merges a commit into a branch, unless the branch has moved. */
  merge(plan: MergePlan): Promise<BranchUpdate>;
  /** Rebases a branch, unless the branch has moved. */
  rebase(plan: RebasePlan): Promise<BranchUpdate>;
  /** Messages of the commits in `to` that are not in `from`, cut to `most` characters. */
  log(from: string, to: string, most: number): Promise<string>;
  /** The patch from the merge base to `to`, cut to `most` characters. */
  diff(from: string, to: string, most: number): Promise<string>;
}

export interface MergePlan {
  readonly commit: string;
  readonly into: string;
  /** The commit that `into` must still be at. */
  readonly expected: string;
  readonly how: MergeMethod;
  /** Of the merge or the squashed commit; rebased commits keep theirs. */
  readonly message: string;
  readonly who: Identity;
  readonly signingKey: string | null;
}

export interface RebasePlan {
  readonly branch: string;
  /** The commit that the branch must still be at. */
  readonly expected: string;
  readonly onto: string;
  /** The committer; authors are preserved. */
  readonly who: Identity;
  readonly signingKey: string | null;
}

export type BranchUpdate =
  /** Also when there was nothing to do. */
  | { readonly is: 'pushed'; readonly commit: string }
  | { readonly is: 'conflict'; readonly files: readonly string[] }
  | { readonly is: 'moved'; readonly at: string | null }
  | { readonly is: 'refused'; readonly because: string };
