import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClockByHand } from '../../test/support/by-hand.ts';
import type { Swept, Workspaces } from '../ports/workspace.ts';
import { startKeeper } from './keeper.ts';

const NOTHING: Swept = {
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
  const keeper = startKeeper({
    workspaces,
    premises: { cells: '/cells', visit: async () => new Set(), freeBytes: async () => 2 ** 40 },
    clock: createClockByHand(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...{ keep: 0, budgetBytes: null },
    cellsFor: () => assert.fail('nothing was left'),
  });
  const first = keeper.look();
  while (looks === 0) await new Promise((resolve) => setImmediate(resolve));
  const later = [keeper.look(), keeper.look(), keeper.look()];
  goOn();
  await Promise.all([first, ...later]);
  assert.equal(looks, 2);
  await keeper.look();
  assert.equal(looks, 3);
  await keeper.stop();
});
