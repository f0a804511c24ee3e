import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CellPlan, CellRefused, type Cells, type EscapeAttempt } from '../../ports/cell.ts';
import {
  type InspectableCell,
  SELF_TEST_TENANT,
  verifyIsolation,
} from '../cell/verify-isolation.ts';
import { type ContainerNeeds, type Host, inspectHost } from './inspect-host.ts';
import { openCell } from './open-cell.ts';
import { removeAbandoned } from './sweep.ts';

/** Isolation with containers: one per instance, entered by its runs one after another. */
export async function createContainers(needs: ContainerNeeds): Promise<Cells> {
  const host = await inspectHost(needs);
  await removeAbandoned(host.engine);
  const cells: Cells = {
    kind: 'container',
    gaps: host.gaps,
    open: (plan) => openCell(host, plan),
    verifyIsolation: () => verifyAndRemove(host),
  };
  try {
    await smokeTest(host);
  } finally {
    await host.pool.removeIdle(SELF_TEST_TENANT.instance);
  }
  return cells;
}

/** Keeps no container of the self-test. */
async function verifyAndRemove(host: Host): Promise<readonly EscapeAttempt[]> {
  const attempts = await verifyIsolation((plan) => openCell(host, plan));
  await host.pool.removeIdle(SELF_TEST_TENANT.instance);
  return attempts;
}

/** Runs a program that does nothing first, to detect isolation that cannot be built here. */
async function smokeTest(host: Host): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cell-'));
  try {
    await using cell: InspectableCell = await openCell(host, smokeTestPlan(folder));
    const program = cell.start({ argv: ['true'], env: {} });
    const timer = setTimeout(() => program.kill(), SMOKE_TEST_TIMEOUT);
    const [{ code, signal }, stderr] = await Promise.all([program.ended, text(program.stderr)]);
    clearTimeout(timer);
    if (code === 0) return;
    const how = signal ?? `exit code ${code}`;
    const because = stderr.trim().split('\n').at(-1) || 'it printed nothing';
    throw new CellRefused(
      `a program in a container ended with ${how}: ${because}; ` +
        `check the engine with: ${host.engine.kind} info`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An engine that hangs would keep its worker from reporting the failure. */
const SMOKE_TEST_TIMEOUT = 600_000;

function smokeTestPlan(folder: string): CellPlan {
  return {
    name: 'trial',
    folder,
    readable: [],
    sockets: {},
    limits: { cpus: null, memoryBytes: null, pids: null },
    tenant: SELF_TEST_TENANT,
  };
}
