import type { Isolation } from '../../domain/project.ts';
import type { WorkerCells } from '../../domain/worker.ts';
import { CellRefused, type Cells } from '../../ports/cell.ts';
import { type CellBuilders, cellBuilders, chooseCells } from '../choose-cells.ts';

export interface CellSettings {
  /** Where programs are found. */
  readonly path: string;
  /** What the names of containers and their volumes begin with. */
  readonly prefix?: string | undefined;
}

/**
 * The cells of this machine, each built and proven once. Those that could not be are tried again when
 * they are next asked for: an engine that was away, or a disk that was full, need not be any more.
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
    // The best there are need not be proven again for a project that asks for them by name.
    if (asked === null) return known.then((cells) => remember(proven, cells));
    return known;
  };
}

function remember(proven: Map<Isolation | null, Promise<Cells>>, cells: Cells): Cells {
  if (!proven.has(cells.kind)) proven.set(cells.kind, Promise.resolve(cells));
  return cells;
}

/** What a worker tells the hall about the walls of its machine. */
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
