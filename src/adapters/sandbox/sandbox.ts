import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CellPlan, CellRefused, type Cells } from '../../ports/cell.ts';
import { type InspectableCell, verifyIsolation } from '../cell/verify-isolation.ts';
import { explainBwrapFailure } from './bwrap-failure.ts';
import { type Host, inspectHost, type SandboxNeeds } from './inspect-host.ts';
import { openCell } from './open-cell.ts';
import { killAbandoned } from './sweep.ts';

/** Isolation with bubblewrap: an allow-list of paths, namespaces, and no network but the two proxies. */
export async function createSandbox(needs: SandboxNeeds): Promise<Cells> {
  const host = inspectHost(needs);
  killAbandoned();
  const cells: Cells = {
    kind: 'sandbox',
    gaps: host.gaps,
    open: (plan) => openTested(host, plan),
    verifyIsolation: () => verifyIsolation((plan) => openTested(host, plan)),
  };
  await smokeTest(cells);
  return cells;
}

/** Runs a program that does nothing first, to detect isolation that cannot be built here. */
async function openTested(host: Host, plan: CellPlan): Promise<InspectableCell> {
  const cell = await openCell(host, plan);
  const trial = cell.start({ argv: ['true'], env: {} });
  const [end, stderr] = await Promise.all([trial.ended, text(trial.stderr)]);
  if (end.code === 0) return cell;
  await cell[Symbol.asyncDispose]();
  throw new CellRefused(explainBwrapFailure(host, stderr));
}

async function smokeTest(cells: Cells): Promise<void> {
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
