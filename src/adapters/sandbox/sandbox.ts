import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CellPlan, CellRefused, type Cells } from '../../ports/cell.ts';
import { type ListedCell, prove } from '../cell/prove.ts';
import { type Host, lookAtHost, type SandboxNeeds } from './host.ts';
import { openCell } from './open-cell.ts';
import { endAbandoned } from './sweep.ts';
import { wayOut } from './way-out.ts';

/** Walls of bubblewrap: a view of the machine by list, namespaces, and no network but the two doors. */
export async function createSandbox(needs: SandboxNeeds): Promise<Cells> {
  const host = lookAtHost(needs);
  endAbandoned();
  const cells: Cells = {
    kind: 'sandbox',
    gaps: host.gaps,
    open: (plan) => openTried(host, plan),
    prove: () => prove((plan) => openTried(host, plan)),
  };
  await tryOut(cells);
  return cells;
}

/** A wall that cannot be built is found by a program that does nothing, before one that does something. */
async function openTried(host: Host, plan: CellPlan): Promise<ListedCell> {
  const cell = await openCell(host, plan);
  const trial = cell.start({ argv: ['true'], env: {} });
  const [end, said] = await Promise.all([trial.ended, text(trial.stderr)]);
  if (end.code === 0) return cell;
  await cell[Symbol.asyncDispose]();
  throw new CellRefused(wayOut(host, said));
}

async function tryOut(cells: Cells): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cell-'));
  try {
    const limits = { cpus: null, memoryBytes: null, pids: null };
    const tenant = { instance: 'trial', project: null, image: null };
    const plan = { name: 'trial', folder, readable: [], sockets: {}, limits, tenant };
    await using _ = await cells.open(plan);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
