import type { Isolation } from '../../domain/project.ts';
import type { Cells } from '../../ports/cell.ts';
import { cellBuilders, chooseCells } from '../choose-cells.ts';

export interface CellSettings {
  /** Where programs are found. */
  readonly path: string;
  /** What the names of containers and their volumes begin with. */
  readonly prefix?: string | undefined;
}

/** The cells of this machine, each built and proven at most once. */
export function createCellsOfMachine(settings: CellSettings) {
  const builders = cellBuilders(settings);
  const proven = new Map<Isolation | null, Promise<Cells>>();
  return (asked: Isolation | null): Promise<Cells> => {
    const known = proven.get(asked) ?? chooseCells(builders, asked);
    proven.set(asked, known);
    return known;
  };
}
