import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CellPlan, CellRefused, type Cells, type Probe } from '../../ports/cell.ts';
import { type ListedCell, PROBE, prove } from '../cell/prove.ts';
import { type ContainerNeeds, lookAtMachine, type Machine } from './machine.ts';
import { openCell } from './open-cell.ts';
import { removeAbandoned } from './sweep.ts';

/** Walls of a container: one for an instance, which its runs enter one after another. */
export async function createContainers(needs: ContainerNeeds): Promise<Cells> {
  const machine = await lookAtMachine(needs);
  await removeAbandoned(machine.runtime);
  const cells: Cells = {
    kind: 'container',
    gaps: machine.gaps,
    open: (plan) => openCell(machine, plan),
    prove: () => proveAndRemove(machine),
  };
  await tryOut(machine);
  await machine.slots.drop(PROBE.instance);
  return cells;
}

/** The containers in which nobody works are not kept. */
async function proveAndRemove(machine: Machine): Promise<readonly Probe[]> {
  const probes = await prove((plan) => openCell(machine, plan));
  await machine.slots.drop(PROBE.instance);
  return probes;
}

/** Walls that cannot be built are found by a program that does nothing, before one that does something. */
async function tryOut(machine: Machine): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cell-'));
  try {
    await using cell: ListedCell = await openCell(machine, trial(folder));
    const program = cell.start({ argv: ['true'], env: {} });
    const patience = setTimeout(() => program.kill(), PATIENCE);
    const { code } = await program.ended;
    clearTimeout(patience);
    if (code === 0) return;
    throw new CellRefused(
      `a program in a container ended with exit code ${code}; ${machine.runtime.kind} info shows whether it works here`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An engine that does not come back would keep its worker from telling anybody. */
const PATIENCE = 600_000;

function trial(folder: string): CellPlan {
  return {
    name: 'trial',
    folder,
    readable: [],
    sockets: {},
    limits: { cpus: null, memoryBytes: null, pids: null },
    tenant: PROBE,
  };
}
