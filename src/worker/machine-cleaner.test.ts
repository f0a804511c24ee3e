import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import type { SweepReport, Workspaces } from '../ports/workspace.ts';
import { startMachineCleaner } from './machine-cleaner.ts';

const NOTHING: SweepReport = {
  ...{ removed: [], rescued: [], stuck: [], forgotten: [] },
  disk: { mirrors: 0, runs: 0, cells: 0 },
};

test('however many workers end during a look, one more look is enough for them', async () => {
  let looks = 0;
  const { promise: may, resolve: goOn } = Promise.withResolvers<void>();
  const workspaces: Workspaces = {
    mirror: () => assert.fail('nothing was left'),
    async sweep() {
      looks += 1;
      await may;
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
  while (looks === 0) await new Promise((resolve) => setImmediate(resolve));
  const later = [cleaner.clean(), cleaner.clean(), cleaner.clean()];
  goOn();
  await Promise.all([first, ...later]);
  assert.equal(looks, 2);
  await cleaner.clean();
  assert.equal(looks, 3);
  await cleaner.stop();
});
