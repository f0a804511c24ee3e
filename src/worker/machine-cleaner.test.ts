import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import type { SweepReport, Workspaces } from '../ports/workspace.ts';
import { startMachineCleaner } from './machine-cleaner.ts';

const NOTHING: SweepReport = {
  ...{ removed: [], rescued: [], stuck: [], forgotten: [] },
  disk: { mirrors: 0, runs: 0, cells: 0 },
};

test('all cleanups that are requested during a cleanup are combined into one more', async () => {
  let cleanups = 0;
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const workspaces: Workspaces = {
    mirror: () => assert.fail('nothing was left'),
    async sweep() {
      cleanups += 1;
      await finished;
      return NOTHING;
    },
  };
  const cleaner = startMachineCleaner({
    workspaces,
    runFolders: {
      cells: '/cells',
      visitAbandoned: async () => new Set(),
      freeBytes: async () => 2 ** 40,
    },
    clock: createManualClock(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...{ keep: 0, budgetBytes: null },
    cellsFor: () => assert.fail('nothing was left'),
  });
  const first = cleaner.clean();
  while (cleanups === 0) await new Promise((resolve) => setImmediate(resolve));
  const later = [cleaner.clean(), cleaner.clean(), cleaner.clean()];
  finish();
  await Promise.all([first, ...later]);
  assert.equal(cleanups, 2);
  await cleaner.clean();
  assert.equal(cleanups, 3);
  await cleaner.stop();
});
