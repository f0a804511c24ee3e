import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Journal, JournaledSets } from './journaled-map.ts';

function written(sets: JournaledSets<string, number>): Record<string, number[]> {
  return Object.fromEntries(
    [...sets.entries()].map(([key, members]) => [key, [...members].sort()]),
  );
}

describe('sets of the board', () => {
  test('a rollback restores the sets of the board, including emptied and new ones', () => {
    const journal = new Journal();
    const sets = new JournaledSets<string, number>(journal);
    sets.add('a', 1);
    sets.add('a', 2);
    sets.add('b', 3);
    journal.commit();

    sets.add('a', 2);
    sets.remove('a', 1);
    sets.remove('b', 3);
    sets.remove('b', 4);
    sets.add('c', 5);
    sets.add('b', 6);
    assert.deepEqual(written(sets), { a: [2], b: [6], c: [5] });

    journal.rollback();
    assert.deepEqual(written(sets), { a: [1, 2], b: [3] });
    assert.equal(sets.size, 2);
  });

  test('the sets of the board have no key without a member', () => {
    const sets = new JournaledSets<string, number>(new Journal());
    sets.add('a', 1);
    sets.remove('a', 1);
    assert.equal(sets.has('a'), false);
    assert.deepEqual([...sets.of('a')], []);
  });
});
