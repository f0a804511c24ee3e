import { createContainers } from '../adapters/containers/containers.ts';
import type { ContainerNeeds } from '../adapters/containers/inspect-host.ts';
import { createUnisolatedCells } from '../adapters/processes/unisolated-cells.ts';
import type { SandboxNeeds } from '../adapters/sandbox/inspect-host.ts';
import { createSandbox } from '../adapters/sandbox/sandbox.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import type { Isolation } from '../domain/project.ts';
import { CellRefused, type Cells } from '../ports/cell.ts';

export type CellBuilders = Readonly<Record<Isolation, () => Promise<Cells>>>;

export function cellBuilders(needs: SandboxNeeds & ContainerNeeds): CellBuilders {
  return {
    sandbox: () => createSandbox(needs),
    container: () => createContainers(needs),
    none: async () => createUnisolatedCells(needs),
  };
}

/**
 * The isolation that a project requires, never a weaker one. A project that names none gets the sandbox
 * if it works here, else a container, but never no isolation.
 */
export async function chooseCells(
  builders: CellBuilders,
  required: Isolation | null,
): Promise<Cells> {
  if (required !== null) return verified(await builders[required]());

  const refusals: string[] = [];
  for (const kind of ['sandbox', 'container'] as const) {
    try {
      return await verified(await builders[kind]());
    } catch (error) {
      if (!(error instanceof CellRefused)) throw error;
      refusals.push(`${kind}: ${error.message}`);
    }
  }
  throw new CellRefused(
    `no cell can be built here. ${refusals.join('. ')}. If you trust every agent, task and ` +
      'repository of a project, you can set isolation: none for it',
  );
}

/** Refuses cells from which a probe escaped. */
async function verified(cells: Cells): Promise<Cells> {
  if (cells.kind === 'none') return cells;
  const escaped = (await cells.verifyIsolation()).filter(({ blocked }) => !blocked);
  if (escaped.length === 0) return cells;
  const list = escaped.map(({ name, found }) => `${name} (${found})`).join('; ');
  throw new CellRefused(
    `an escape attempt from a ${cells.kind} succeeded: ${list}; check again with: ${operatorCommand('doctor')}`,
  );
}
