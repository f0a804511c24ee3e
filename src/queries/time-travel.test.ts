import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTimeTravel } from './time-travel.ts';

test('a time-travel board is freed after it is rendered, because it can be as large as the present one', async () => {
  const boardAt = createTimeTravel({
    events: async () => ({ rows: [], next: undefined }),
    seqAt: async () => 0,
  });
  const shown = async () => new WeakRef((await boardAt(0, () => false)).board);
  const board = await shown();
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  assert.equal(board.deref(), undefined);
});

test('a failed time-travel read does not block the next one', async () => {
  let isAway = true;
  const boardAt = createTimeTravel({
    events: async () => ({ rows: [], next: undefined }),
    async seqAt() {
      if (isAway) throw new Error('away');
      return 0;
    },
  });
  await assert.rejects(
    boardAt(0, () => false),
    /away/,
  );
  isAway = false;
  assert.equal((await boardAt(0, () => false)).board.seq, 0);
});
