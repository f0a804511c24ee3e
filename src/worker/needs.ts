import type { Backend } from '../domain/pool.ts';
import type { Isolation } from '../domain/project.ts';
import type { AgentRunner } from '../ports/agent.ts';
import type { Cell, Cells } from '../ports/cell.ts';
import type { Clock } from '../ports/clock.ts';
import type { CommandCall, HallClient } from '../ports/hall-client.ts';
import type { Log } from '../ports/log.ts';
import type { RunProxies } from '../ports/run-proxies.ts';
import type { Bounds, Workspaces } from '../ports/workspace.ts';

/** Everything a worker touches. */
export interface WorkerNeeds {
  readonly hall: HallClient;
  readonly proxies: RunProxies;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
  readonly log: Log;
  readonly bounds: Bounds;
  /** The walls a project asks for; null asks for the best there are. Throws `CellRefused`. */
  cellsFor(isolation: Isolation | null): Promise<Cells>;
  runnerFor(backend: Backend): AgentRunner;
  /** Brings ignored files of a local repository into a work tree. */
  copyInto(
    cell: Cell,
    plan: { readonly from: string; readonly files: readonly string[] },
  ): Promise<unknown>;
  /** What a command would reach through links of the work tree, and what is in the files it names. */
  inspectCommand(cell: Cell, command: string): Pick<CommandCall, 'links' | 'scripts'>;
  readonly folders: CellFolders;
  /** Why no run may begin on this machine; null when one may. */
  noSpace(): string | null;
}

/** Where cells live on this machine. */
export interface CellFolders {
  /** An empty folder of the run's own, with a note for whoever finds it when the worker is gone. */
  make(run: string, note: string): Promise<string>;
  /** Removes it with whatever an agent left in it. */
  remove(folder: string): Promise<void>;
}
