import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { waitForDrain } from './wait-for-drain.ts';

test('waiting for a slow reader leaves no listeners behind', async () => {
  const slow = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => void setImmediate(done),
  });
  const listeners = () => ['close', 'drain', 'error'].map((name) => slow.listenerCount(name));
  const before = listeners();
  for (let n = 0; n < 50; n += 1) {
    assert.equal(slow.write('a'), false);
    await waitForDrain(slow);
  }
  assert.deepEqual(listeners(), before);
});

test('waiting for a slow reader ends when the reader disconnects', async () => {
  const stuck = new Writable({ highWaterMark: 1, write: () => undefined });
  stuck.write('a');
  const waiting = waitForDrain(stuck);
  stuck.destroy();
  await waiting;
});
