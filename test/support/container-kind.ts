import { execFileSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { after } from 'node:test';
import { createContainers } from '../../src/adapters/containers/containers.ts';
import { findEngine } from '../../src/adapters/containers/engine.ts';
import { sweepContainers } from '../../src/adapters/containers/sweep.ts';
import { type CellFixture, cellFixture } from './cell-fixture.ts';
import { type CellKind, testsWith } from './cell-kinds.ts';

/** Separate from the other kinds, so that only suites with containers need an engine. */
export const CONTAINER: CellKind = {
  name: 'container',
  part: undefined,
  engineVariable: 'GUILDHALL_TEST_CONTAINERS',
  // A run names an engine only after it ran a container.
  hasWorkingEngine: () => process.env['GUILDHALL_TEST_CONTAINERS'] !== undefined,
  keeps: { wholeTree: true, isolates: true },
  build: () => createContainers(containerNeeds()),
};

/** The options for containers of this run; their prefix keeps them apart from those of a hall. */
export function containerNeeds() {
  const runtime = process.env['GUILDHALL_TEST_CONTAINERS'];
  const path = process.env['PATH'] ?? '';
  const own = runtime === undefined ? [] : [dirname(runtime)];
  return {
    path: [...own, path].join(delimiter),
    dockerHost: process.env['DOCKER_HOST'],
    prefix: 'guildhall-test',
  };
}

/** The output of a command of the engine. */
export function runEngine(...args: string[]): string {
  const found = findEngine(containerNeeds());
  if (found === undefined) throw new Error('there is no engine');
  return execFileSync(found.program, args, { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Removes everything that a hall or a suite left under such names. */
export function clearContainers(prefix: string): void {
  if (process.env['GUILDHALL_TEST_CONTAINERS'] === undefined) return;
  const own = (names: string) => names.split('\n').filter((name) => name.startsWith(`${prefix}-`));
  const containers = own(runEngine('ps', '--all', '--format', '{{.Names}}'));
  if (containers.length > 0) runEngine('rm', '--force', ...containers);
  const volumes = own(runEngine('volume', 'ls', '--quiet'));
  if (volumes.length > 0) runEngine('volume', 'rm', '--force', ...volumes);
}

/** Tests that each have their own containers; what is left under such names is removed after the last. */
export function scenesWithContainers(names: string) {
  const withCells = testsWith(CONTAINER);
  after(() => clearContainers(names));
  return (title: string, act: (fixture: CellFixture) => Promise<void>): void =>
    withCells(title, async (cells) => {
      await using fixture = cellFixture(cells);
      await act(fixture);
    });
}

/**
 * Sweeps until the container of a dead worker is gone. A single sweep skips it while another process of
 * this machine sweeps and has locked its name.
 */
export async function sweepUntilGone(name: string): Promise<void> {
  const list = ['ps', '--all', '--format', '{{.Names}}'];
  const end = performance.now() + SWEEP_TIMEOUT;
  while (
    runEngine(...list)
      .split('\n')
      .includes(name)
  ) {
    if (performance.now() > end) throw new Error(`no sweep removed ${name}`);
    await sweepContainers(containerNeeds());
  }
}

const SWEEP_TIMEOUT = 600_000;
