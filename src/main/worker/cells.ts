import type { Isolation } from '../../domain/project.ts';
import type { WorkerCells } from '../../domain/worker.ts';
import { CellRefused, type Cells } from '../../ports/cell.ts';
import { type CellBuilders, cellBuilders, chooseCells } from '../choose-cells.ts';

export interface CellSettings {
  /** The PATH in which to find programs. */
  readonly path: string;
  /** The prefix of container and volume names. */
  readonly prefix?: string | undefined;
}

/**
 * The kinds of cells on this machine, each verified once. Failures are not cached, because a stopped
 * engine or a full disk may recover.
 */
export function createCellsOfMachine(
  settings: CellSettings,
  builders: CellBuilders = cellBuilders(settings),
) {
  const proven = new Map<Isolation | null, Promise<Cells>>();
  return (asked: Isolation | null): Promise<Cells> => {
    const known = proven.get(asked) ?? chooseCells(builders, asked);
    proven.set(asked, known);
    known.catch(() => proven.delete(asked));
    // The best kind need not be verified again for a project that names it.
    if (asked === null) return known.then((cells) => remember(proven, cells));
    return known;
  };
}

function remember(proven: Map<Isolation | null, Promise<Cells>>, cells: Cells): Cells {
  if (!proven.has(cells.kind)) proven.set(cells.kind, Promise.resolve(cells));
  return cells;
}

/** What a worker reports to the hall about isolation on its machine. */
export async function workerCells(
  cellsFor: (asked: Isolation | null) => Promise<Cells>,
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
