import type { Isolation, Limits } from '../domain/project.ts';

/** Walls around an agent and everything it starts. One adapter for each kind of wall. */
export interface Cells {
  readonly kind: Isolation;
  /** What it could not wall off on this machine, in words for health; empty when it walls all of it off. */
  readonly gaps: readonly string[];
  /** The walls are there before the first program is started. Throws `CellRefused` when they cannot be built. */
  open(plan: CellPlan): Promise<Cell>;
  /** Opens a cell and tries to get out of it, at the start of a worker. */
  verifyIsolation(): Promise<readonly EscapeAttempt[]>;
}

export interface CellPlan {
  /** Names the cell; a run has one. */
  readonly name: string;
  /**
   * A folder of the cell's own on the host, made by the caller and still empty. In it the cell makes
   * `work` (seen as `paths.work`), `home`, and `hall` for itself, owned by whoever the programs inside run as.
   * In the folder of a cell that was there before, the programs are who they were then.
   */
  readonly folder: string;
  /** What else can be read inside: a path of the host, seen at a path of the cell. */
  readonly readable: readonly Mount[];
  /**
   * Sockets of the host, by name: `gateway` takes model calls, `egress` is an HTTP proxy that decides
   * which hosts are reached. A cell without `egress` has no network at all.
   */
  readonly sockets: { readonly gateway?: string; readonly egress?: string };
  readonly limits: Limits;
  /** Who it is for. A kind that keeps cells from run to run keeps them by this. */
  readonly tenant: Tenant;
}

export interface Tenant {
  readonly instance: string;
  /** What a cell keeps from run to run it keeps for one project; nothing is kept without one. */
  readonly project: string | null;
  /** An image with the programs of the cell, where there are images; null takes those of the host. */
  readonly image: string | null;
}

export interface Mount {
  readonly from: string;
  readonly to: string;
}

export interface Cell extends AsyncDisposable {
  /** As programs inside see them. Without walls they are paths of the host. */
  readonly paths: { readonly work: string; readonly home: string };
  /** Where model calls go and through which proxy the network is reached, from inside; both on loopback. */
  readonly proxies: { readonly gateway: string | null; readonly egress: string | null };
  /**
   * Starts a program inside. Everything it starts in turn is dead when it has ended, when it is killed,
   * when the cell is closed and when this process dies.
   */
  start(command: CellCommand): CellProcess;
  /** A path inside, as the host sees it; undefined when it is not in the cell's own folders. */
  onHost(inside: string): string | undefined;
}

export interface CellCommand {
  readonly argv: readonly [program: string, ...rest: string[]];
  /** The whole environment but for PATH and HOME, and a mark where a cell without walls needs one. */
  readonly env: Readonly<Record<string, string>>;
  /** A path inside; `paths.work` when left out. */
  readonly cwd?: string;
}

export interface CellProcess {
  readonly stdin: { write(text: string | Uint8Array): boolean; end(): void };
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly ended: Promise<CellEnd>;
  /** Kills it with everything it started. */
  kill(): void;
}

export interface CellEnd {
  /** A program that a signal ended has 128 and its number here, or the signal's name below. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The limit it ran into, where the cell can tell. */
  readonly limit: keyof Limits | null;
}

/** One attempt to get out. */
export interface EscapeAttempt {
  readonly name: string;
  readonly blocked: boolean;
  readonly found: string;
}

/** The walls cannot be built here. The message ends with the way out. */
export class CellRefused extends Error {
  override readonly name = 'CellRefused';
}
