import type { EngineLocation } from '../../adapters/containers/engine.ts';
import type { Config } from '../../config/config.ts';
import type { Isolation } from '../../domain/project.ts';
import type { WorkerCells } from '../../domain/worker.ts';
import { CellRefused, type Cells } from '../../ports/cell.ts';
import { type CellBuilders, cellBuilders, chooseCells } from '../choose-cells.ts';

export interface CellSettings extends EngineLocation {
  /** The prefix of container and volume names. */
  readonly prefix?: string | undefined;
}

export function cellSettings({ path, dockerHost, hall }: Config): CellSettings {
  return { path, dockerHost, prefix: hall.containerPrefix };
}

/**
 * The kinds of cells on this machine, each verified once. Failures are not cached, because a stopped
 * engine or a full disk may recover.
 */
export function createCellsOfMachine(
  settings: CellSettings,
  builders: CellBuilders = cellBuilders(settings),
) {
  const verified = new Map<Isolation | null, Promise<Cells>>();
  return (required: Isolation | null): Promise<Cells> => {
    const known = verified.get(required) ?? chooseCells(builders, required);
    verified.set(required, known);
    known.catch(() => verified.delete(required));
    // The best kind need not be verified again for a project that names it.
    if (required === null) return known.then((cells) => remember(verified, cells));
    return known;
  };
}

function remember(verified: Map<Isolation | null, Promise<Cells>>, cells: Cells): Cells {
  if (!verified.has(cells.kind)) verified.set(cells.kind, Promise.resolve(cells));
  return cells;
}

/** What a worker reports to the hall about isolation on its machine. */
export async function workerCells(
  cellsFor: (required: Isolation | null) => Promise<Cells>,
): Promise<WorkerCells> {
  try {
    const { kind, gaps } = await cellsFor(null);
    return { kind, gaps };
  } catch (fault) {
    if (fault instanceof CellRefused)
      return { kind: 'none', gaps: [fault.message.slice(0, 2_000)] };
    throw fault;
  }
}
