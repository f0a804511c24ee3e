import type { Cell } from './cell.ts';

/**
 * Repositories as a worker has them. The host keeps a mirror that only it writes; an agent gets a git
 * directory of its own, made inside its cell; what the agent made comes back as a bundle. No git of the
 * host ever runs in a folder that an agent could write to.
 */
export interface Workspaces {
  /** Brings the mirror of a repository up to date. Throws `RepositoryFailed`. */
  mirror(repo: Repository): Promise<Mirror>;
  /** Clears away what runs left that are over. Nothing goes that is not pushed, rescued, or known to be nothing. */
  sweep(plan: SweepPlan): Promise<SweepReport>;
}

export interface SweepPlan {
  /** Where the cells are: they are counted, and cleared away by whoever made them. */
  readonly cells: string;
  /** Runs that somebody may still work on: they are not looked at. */
  readonly alive: ReadonlySet<string>;
  /** Settled runs are kept so long, rescued work so long. Milliseconds. */
  readonly keep: { readonly runs: number; readonly rescued: number };
  /** Above this, settled runs go earlier, the oldest first. */
  readonly budgetBytes: number;
  /** Before it was seen who is alive: what began since is not looked at either. */
  readonly now: number;
}

export interface SweepReport {
  readonly removed: readonly string[];
  readonly rescued: readonly string[];
  /** Runs that could not be rescued or removed, and are still there. */
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
  /** Where it is fetched from and pushed to: a path, or an https address. */
  readonly url: string;
  /** What the host shows there, kept out of every cell and message; null for a path. */
  readonly credential: string | null;
}

export interface Mirror {
  /** Its objects, to be read inside a cell. */
  readonly objects: string;
  /** The branch that work starts from when a project names none. */
  readonly defaultBranch: string;
  /** The commit a branch is at, or null when there is no such branch. */
  tip(branch: string): Promise<string | null>;
  /** A file as it stands in a commit; null when it is not there or is larger than `most` bytes. */
  read(commit: string, path: string, most: number): Promise<string | null>;
  /** Makes the git directory and the work tree inside the cell, at a commit, on a branch. */
  checkOut(cell: Cell, plan: CheckoutPlan): Promise<void>;
  /** Takes over what the agent made. Nothing of it is trusted, and nothing leaves yet. */
  harvest(cell: Cell, plan: HarvestPlan): Promise<Harvest>;
  /** Makes a branch of the repository point to harvested work, if it is still where it was. */
  push(
    harvest: Work,
    to: { readonly branch: string; readonly expected: string | null },
  ): Promise<Pushed>;
  /** Keeps work that will not be pushed where nobody deletes it, and says under which name. */
  rescue(harvest: Work): Promise<string>;
}

export interface CheckoutPlan {
  readonly commit: string;
  readonly branch: string;
  /** A second branch, to compare with and to rebase on. */
  readonly base: string;
  readonly who: Identity;
  /** Where the mirror's objects are seen inside the cell. */
  readonly objects: string;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface HarvestPlan {
  /** Names the quarantine. */
  readonly run: string;
  readonly base: string;
  /** Every commit is made anew by the host under this name; what the agent wrote about itself is dropped. */
  readonly who: Identity;
  /** Lines such as `Co-authored-by: …` that each message ends with. */
  readonly trailers: readonly string[];
  /** Signs every commit; null when the type has no key. */
  readonly signingKey: string | null;
  /** The message of the commit that takes in what was left uncommitted. */
  readonly leftovers: string;
  readonly bounds: Bounds;
  /** Folders and files that the work may touch; left out, it may touch all of them. */
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
  /** What a person should look at, or what keeps it from leaving. */
  readonly findings: readonly Finding[];
}

/** It could not be taken over: not a repository any more, broken objects, larger than allowed. */
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
  /** Empty when it is about all of it. */
  readonly path: string;
  /** Never the secret itself. */
  readonly because: string;
  /** False of what only a person should know about. */
  readonly blocks: boolean;
}

type FindingKind =
  | 'secret'
  | 'sensitive_path'
  | 'too_large'
  | 'agent_settings'
  /** What agents leave for each other in the repository. */
  | 'repository_memory'
  /** Links that lead out, submodules, names that no tree should hold. */
  | 'hostile_entry'
  | 'outside_scope'
  /** The agent stopped half way: conflicts, a rebase, files that could not be read. */
  | 'unfinished';

export type Pushed =
  | { readonly is: 'pushed'; readonly commit: string }
  /** Somebody else moved the branch; nothing was changed. */
  | { readonly is: 'moved'; readonly at: string | null }
  | { readonly is: 'refused'; readonly because: string };

/** Git or the repository failed. */
export class RepositoryFailed extends Error {
  override readonly name = 'RepositoryFailed';
}
