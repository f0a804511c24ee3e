import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OrderedPairs } from './ordered-pairs.ts';

const pair = fc.tuple(fc.nat(400), fc.nat(3));
const steps = fc.array(fc.tuple(fc.boolean(), pair), { maxLength: 3_000, size: 'max' });

test('ordered pairs have the same content and order as a sorted list', () => {
  fc.assert(
    fc.property(steps, (each) => {
      const pairs = new OrderedPairs();
      const list = new Map<string, readonly [number, number]>();
      for (const [adds, [major, minor]] of each) {
        const key = `${major} ${minor}`;
        const changed = adds ? pairs.add(major, minor) : pairs.remove(major, minor);
        assert.equal(changed, adds !== list.has(key));
        if (adds) list.set(key, [major, minor]);
        else list.delete(key);
      }
      const sorted = [...list.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      assert.deepEqual([...pairs], sorted);
      assert.deepEqual(pairs.first(), sorted[0]);
      assert.equal(pairs.size, sorted.length);
      for (const [rank, [major, minor]] of sorted.entries()) {
        assert.equal(pairs.rank(major, minor), rank);
        assert.ok(pairs.has(major, minor));
      }
    }),
    { numRuns: 40 },
  );
});

test('ordered pairs stay fast when many are added at the end and removed at the front', () => {
  const pairs = new OrderedPairs();
  for (let n = 0; n < 50_000; n += 1) pairs.add(n, n + 1);
  for (let n = 0; n < 50_000; n += 1) {
    assert.deepEqual(pairs.first(), [n, n + 1]);
    pairs.remove(n, n + 1);
  }
  assert.equal(pairs.size, 0);
});
