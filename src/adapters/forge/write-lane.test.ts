import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_PER_MINUTE, WriteLane } from './write-lane.ts';

it('writes to a forge run one after another, and one over the limit waits until the minute is over', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 1_000;
  const lane = new WriteLane(() => now);
  let open = 0;
  const write = async () => {
    open += 1;
    assert.equal(open, 1, 'no two at once');
    await Promise.resolve();
    open -= 1;
  };
  await Promise.all(Array.from({ length: MAX_PER_MINUTE }, () => lane.run(write)));
  assert.equal(lane.recent(), MAX_PER_MINUTE);

  let isWritten = false;
  const late = lane.run(async () => {
    isWritten = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isWritten, false);
  now += 60_000;
  t.mock.timers.tick(60_000);
  await late;
  assert.deepEqual([isWritten, lane.recent()], [true, 1]);
});
