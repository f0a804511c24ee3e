import type { Backend } from '../domain/pool.ts';
import type { Isolation } from '../domain/project.ts';
import type { AgentRunner } from '../ports/agent.ts';
import type { Cell, Cells } from '../ports/cell.ts';
import type { Clock } from '../ports/clock.ts';
import type { CommandCall, HallClient } from '../ports/hall-client.ts';
import type { Log } from '../ports/log.ts';
import type { RunProxies } from '../ports/run-proxies.ts';
import type { PrepareVariables } from '../ports/variables.ts';
import type { Bounds, Workspaces } from '../ports/workspace.ts';

/** Everything a worker depends on. */
export interface WorkerNeeds {
  readonly hall: HallClient;
  readonly proxies: RunProxies;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
  readonly log: Log;
  readonly bounds: Bounds;
  /** The isolation that a project requires; null means the best available. Throws `CellRefused`. */
  cellsFor(isolation: Isolation | null): Promise<Cells>;
  readonly prepareVariables: PrepareVariables;
  runnerFor(backend: Backend): AgentRunner;
  /** Copies ignored files of a local repository into a work tree. */
  copyInto(
    cell: Cell,
    plan: { readonly from: string; readonly files: readonly string[] },
  ): Promise<unknown>;
  /** What a command would reach through links of the work tree, and hashes of the files it names. */
  inspectCommand(cell: Cell, command: string): Pick<CommandCall, 'links' | 'scripts'>;
  readonly folders: CellFolders;
  /** Why no run may start on this machine; null when one may. */
  noSpace(): string | null;
}

/** Where cells live on this machine. */
export interface CellFolders {
  /** Creates an empty folder for the run, with a note for cleanup in case the worker dies. */
  make(run: string, note: string): Promise<string>;
  /** Removes the folder and everything an agent left in it. */
  remove(folder: string): Promise<void>;
}
