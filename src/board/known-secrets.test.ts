import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownSecrets } from './known-secrets.ts';

test('a stored value stays known after it was replaced or removed', () => {
  const known = new KnownSecrets();
  known.store(['one', 'two']);
  known.store(['two', 'three']);
  known.store([]);
  assert.deepEqual([...known.values()].sort(), ['one', 'three', 'two']);
});

test('of the values that requests bring, the last ones stay known, and stored ones in any case', () => {
  const known = new KnownSecrets();
  known.store(['stored']);
  known.receive('received');
  for (let n = 0; n < 255; n += 1) known.receive(`value ${n}`);
  assert.ok([...known.values()].includes('received'));
  for (let n = 0; n < 1_000; n += 1) known.receive(`later ${n}`);
  const values = [...known.values()];
  assert.equal(values.length, 257);
  assert.ok(values.includes('stored') && values.includes('later 999'));
  assert.ok(!values.includes('received'));
});
