import { delimiter, dirname } from 'node:path';
import { createContainers } from '../../src/adapters/containers/containers.ts';
import type { CellKind } from './cell-kinds.ts';

/** Apart from the other kinds, so that only suites with containers ask for an engine. */
export const CONTAINER: CellKind = {
  name: 'container',
  part: 'containers',
  keeps: { wholeTree: true, walls: true },
  build: () => createContainers(containerNeeds()),
};

/** What containers of this run are built with; their prefix keeps them apart from those of a hall. */
export function containerNeeds() {
  const runtime = process.env['GUILDHALL_TEST_CONTAINERS'];
  const path = process.env['PATH'] ?? '';
  const own = runtime === undefined ? [] : [dirname(runtime)];
  return { path: [...own, path].join(delimiter), prefix: 'guildhall-test' };
}
