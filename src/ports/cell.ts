import type { Isolation, Limits } from '../domain/project.ts';

/** Isolates an agent and every process it starts. Each kind of isolation has one adapter. */
export interface Cells {
  readonly kind: Isolation;
  /** What it cannot isolate on this machine, as text for the health report; empty when it isolates everything. */
  readonly gaps: readonly string[];
  /** Isolation is complete before the first program starts. Throws `CellRefused` when it cannot be set up. */
  open(plan: CellPlan): Promise<Cell>;
  /** Opens a cell and tries to escape from it; called when a worker starts. */
  verifyIsolation(): Promise<readonly EscapeAttempt[]>;
}

export interface CellPlan {
  /** The cell's name; a run has one cell. */
  readonly name: string;
  /**
   * An empty folder on the host, made by the caller for this cell. The cell creates `work` (inside:
   * `paths.work`), `home` and, for itself, `hall` in it, owned by the user that its programs run as.
   * Reopening the folder of an earlier cell keeps that user.
   */
  readonly folder: string;
  /** Host paths that are readable inside, each at a path of the cell. */
  readonly readable: readonly Mount[];
  /**
   * Host sockets: `gateway` takes model calls; `egress` is an HTTP proxy that decides which hosts
   * programs may reach. A cell without `egress` has no network at all.
   */
  readonly sockets: { readonly gateway?: string; readonly egress?: string };
  readonly limits: Limits;
  /** Identifies the cell in adapters that reuse cells between runs. */
  readonly tenant: Tenant;
}

export interface Tenant {
  readonly instance: string;
  /** State that a cell keeps between runs belongs to one project; without a project it keeps none. */
  readonly project: string | null;
  /** The image with the cell's programs, for kinds that use images; null uses the host's programs. */
  readonly image: string | null;
}

export interface Mount {
  readonly from: string;
  readonly to: string;
}

export interface Cell extends AsyncDisposable {
  /** Paths as programs inside see them; without isolation these are host paths. */
  readonly paths: { readonly work: string; readonly home: string };
  /** Addresses inside the cell of the gateway for model calls and of the network proxy; both on loopback. */
  readonly proxies: { readonly gateway: string | null; readonly egress: string | null };
  /**
   * Starts a program inside. All its descendants die when it ends or is killed, when the cell is closed,
   * and when this process dies.
   */
  start(command: CellCommand): CellProcess;
  /** The host path of a path inside; undefined when it is not in the cell's own folders. */
  onHost(inside: string): string | undefined;
}

export interface CellCommand {
  readonly argv: readonly [program: string, ...rest: string[]];
  /** The whole environment except PATH, HOME and a marker variable that cells without isolation need. */
  readonly env: Readonly<Record<string, string>>;
  /** A path inside; defaults to `paths.work`. */
  readonly cwd?: string;
}

export interface CellProcess {
  readonly stdin: { write(text: string | Uint8Array): boolean; end(): void };
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly ended: Promise<CellEnd>;
  /** Kills the program and all its descendants. */
  kill(): void;
}

export interface CellEnd {
  /** For a program killed by a signal: 128 plus the signal's number, or null and the name in `signal`. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The limit it hit, if the cell can tell. */
  readonly limit: keyof Limits | null;
}

/** One attempt to escape from a cell. */
export interface EscapeAttempt {
  readonly name: string;
  readonly blocked: boolean;
  readonly found: string;
}

/** Isolation cannot be set up here. The message ends with how to fix it. */
export class CellRefused extends Error {
  override readonly name = 'CellRefused';
}
