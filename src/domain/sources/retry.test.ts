import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureText, waitAfterFailure } from './retry.ts';

test('a source is retried five times, each after twice the wait, and then probed', () => {
  const times = { first: 1_000, probe: 300_000 };
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7].map((failures) => waitAfterFailure(failures, times)),
    [1_000, 2_000, 4_000, 8_000, 16_000, 300_000, 300_000],
  );
});

test('people read which retry follows, and that the hall gave up', () => {
  const failure = { since: 0, because: 'no route' };
  assert.equal(
    failureText({ ...failure, tries: 2 }),
    'task source unavailable: no route (retry 2 of 5 follows)',
  );
  assert.match(failureText({ ...failure, tries: 6 }), /gave up after 5 retries/);
});
