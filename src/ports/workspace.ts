import type { Cell } from './cell.ts';

/**
 * A worker's access to repositories. The host keeps a mirror that only it writes; an agent gets its own
 * git directory, made inside its cell; its work comes back as a bundle. The host never runs git in a
 * folder that an agent can write to.
 */
export interface Workspaces {
  /** Updates the mirror of a repository. Throws `RepositoryFailed`. */
  mirror(repo: Repository): Promise<Mirror>;
  /**
   * Removes what finished runs left. Removes only work that was pushed or rescued, or that is known to be
   * empty.
   */
  sweep(plan: SweepPlan): Promise<SweepReport>;
}

export interface SweepPlan {
  /** The folder of the cells. A sweep measures them and leaves their removal to whatever made them. */
  readonly cells: string;
  /** Runs that a worker may still be working on; a sweep skips them. */
  readonly alive: ReadonlySet<string>;
  /** How long to keep settled runs and rescued work, in milliseconds. */
  readonly keep: { readonly runs: number; readonly rescued: number };
  /** Above this, a sweep removes settled runs earlier, oldest first. */
  readonly budgetBytes: number;
  /** A time before `alive` was read; a sweep also skips runs that began later. */
  readonly now: number;
}

export interface SweepReport {
  readonly removed: readonly string[];
  readonly rescued: readonly string[];
  /** Runs that could not be rescued or removed. */
  readonly stuck: readonly { readonly run: string; readonly because: string }[];
  readonly forgotten: readonly string[];
  readonly disk: Disk;
}

/** Bytes. */
export interface Disk {
  readonly mirrors: number;
  readonly runs: number;
  readonly cells: number;
}

export interface Repository {
  /** The address to fetch from and push to: a path or an https URL. */
  readonly url: string;
  /** The host's credential for it, kept out of every cell and message; null for a path. */
  readonly credential: string | null;
  /** Names the mirror where the address may change; by default the address. */
  readonly name?: string;
  /** Use the mirror as it is: the remote cannot be asked, or need not be. */
  readonly isOffline?: true;
}

export interface Mirror {
  /** The folder of its objects, which cells read. */
  readonly objects: string;
  /** The branch to start work from when a project names none. */
  readonly defaultBranch: string;
  /** The commit of a branch; null when there is no such branch. */
  tip(branch: string): Promise<string | null>;
  /** A file at a commit; null when it is missing or larger than `most` bytes. */
  read(commit: string, path: string, most: number): Promise<string | null>;
  /** Creates the git directory and the work tree inside the cell, at a commit, on a branch. */
  checkOut(cell: Cell, plan: CheckoutPlan): Promise<void>;
  /** Declares the files that are untracked in the cell now to be no work: the setup left them. */
  excludeUntracked(cell: Cell): Promise<void>;
  /** Takes the agent's work out of the cell, trusting none of it. Nothing is pushed yet. */
  harvest(cell: Cell, plan: HarvestPlan): Promise<Harvest>;
  /** Points a branch of the repository at harvested work, unless the branch has moved. */
  push(
    harvest: Work,
    to: { readonly branch: string; readonly expected: string | null },
  ): Promise<Pushed>;
  /** Saves work that will not be pushed under a ref that nothing else deletes; returns the ref's name. */
  rescue(harvest: Work): Promise<string>;
}

export interface CheckoutPlan {
  readonly commit: string;
  readonly branch: string;
  /** A second branch, to compare with and to rebase onto. */
  readonly base: string;
  readonly who: Identity;
  /** The path of the mirror's objects inside the cell. */
  readonly objects: string;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface HarvestPlan {
  /** The name of the quarantine. */
  readonly run: string;
  readonly base: string;
  /** The host recreates every commit with this identity and drops the agent's own. */
  readonly who: Identity;
  /** Lines such as `Co-authored-by: …` at the end of each message. */
  readonly trailers: readonly string[];
  /** Signs every commit; null when the agent type has no key. */
  readonly signingKey: string | null;
  /** The message of the commit for changes that the agent left uncommitted. */
  readonly leftovers: string;
  readonly bounds: Bounds;
  /** Folders and files that the work may touch; by default all. */
  readonly scope?: readonly string[];
}

export interface Bounds {
  readonly files: number;
  readonly lines: number;
  readonly bytes: number;
}

export type Harvest = NoWork | Work | UnusableWork;

/** No commit, or commits that change nothing. */
export interface NoWork {
  readonly is: 'nothing';
}

export interface Work {
  readonly is: 'work';
  readonly run: string;
  readonly base: string;
  readonly commit: string;
  readonly commits: number;
  readonly files: readonly ChangedFile[];
  /** Problems that a person should look at or that block the push. */
  readonly findings: readonly Finding[];
}

/** It cannot be harvested: the repository is gone, its objects are broken, or it is too large. */
export interface UnusableWork {
  readonly is: 'unusable';
  readonly because: string;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
  readonly added: number;
  readonly removed: number;
}

export interface Finding {
  readonly kind: FindingKind;
  /** Empty when the finding is about the whole work. */
  readonly path: string;
  /** Never contains the secret itself. */
  readonly because: string;
  /** False when a person only needs to know about it. */
  readonly blocks: boolean;
}

type FindingKind =
  | 'secret'
  | 'sensitive_path'
  | 'too_large'
  | 'agent_settings'
  /** Files that agents leave for each other in the repository. */
  | 'repository_memory'
  /** Links that lead outside, submodules, names that no tree should contain. */
  | 'hostile_entry'
  | 'outside_scope'
  /** The agent stopped halfway: conflicts, a rebase, unreadable files. */
  | 'unfinished';

export type Pushed =
  | { readonly is: 'pushed'; readonly commit: string }
  /** The branch has moved; the push changed nothing. */
  | { readonly is: 'moved'; readonly at: string | null }
  | { readonly is: 'refused'; readonly because: string };

/** Git or the repository failed. */
export class RepositoryFailed extends Error {
  override readonly name = 'RepositoryFailed';
}
