import { createCellsWithoutWalls } from '../../adapters/processes/without-walls.ts';
import { createSandbox } from '../../adapters/sandbox/sandbox.ts';
import type { Isolation } from '../../domain/project.ts';
import { CellRefused, type Cells } from '../../ports/cell.ts';

export interface CellSettings {
  /** Where programs are found. */
  readonly path: string;
}

/** The cells of this machine, each built and proven at most once. */
export function createCellsOfMachine(settings: CellSettings) {
  const proven = new Map<Isolation, Promise<Cells>>();

  function cells(kind: Isolation): Promise<Cells> {
    const known = proven.get(kind) ?? provenCells(kind, settings);
    proven.set(kind, known);
    return known;
  }

  return (asked: Isolation | null): Promise<Cells> => cells(asked ?? 'sandbox');
}

/** Walls that do not hold are no walls: the run is refused, and the operator told which gave way. */
async function provenCells(kind: Isolation, { path }: CellSettings): Promise<Cells> {
  if (kind === 'none') return createCellsWithoutWalls({ path });
  if (kind === 'container') {
    throw new CellRefused('cells in containers are not built yet; choose isolation: sandbox');
  }
  const cells = await createSandbox({ path });
  const broken = (await cells.prove()).filter(({ held }) => !held);
  if (broken.length === 0) return cells;
  const told = broken.map(({ name, saw }) => `${name} (${saw})`).join(', ');
  throw new CellRefused(
    `the walls of a sandbox do not hold on this machine: ${told}; look at docs/guide/cells.md, or choose isolation: container`,
  );
}
