import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RepositoryChanges } from './read-forge-changes.ts';

const listed = (...changes: readonly [number: number, updatedAt: number][]) => ({
  changes: changes.map(([number, updatedAt]) => ({ number, updatedAt })),
  newest: changes.length === 0 ? null : Math.max(...changes.map(([, at]) => at)),
});

/** Looks at everything that is to be looked at; the numbers. */
function sweep(changes: RepositoryChanges, list: ReturnType<typeof listed>, now: number): number[] {
  const todo = changes.toLookAt(list);
  for (const change of todo) changes.lookedAt(change, now);
  changes.done(list, now);
  return todo.map(({ number }) => number);
}

it('a change is looked at when it is listed, once more after its second is over, and then no more', () => {
  const changes = new RepositoryChanges(0);
  const list = listed([1, 5_000], [2, 6_000]);
  assert.deepEqual(sweep(changes, list, 100), [1, 2]);
  assert.deepEqual(
    sweep(changes, list, 1_000),
    [1, 2],
    'the same second may have had another change',
  );
  assert.deepEqual(sweep(changes, list, 2_200), [1, 2]);
  assert.deepEqual(sweep(changes, list, 3_000), []);
  assert.deepEqual(sweep(changes, listed([1, 9_000], [2, 6_000]), 4_000), [1]);
});

it('the next list starts at the newest change only when no older one can be listed late', () => {
  const changes = new RepositoryChanges(null);
  const list = listed([1, 5_000], [2, 6_000]);
  sweep(changes, list, 0);
  assert.equal(changes.since, 5_000);
  sweep(changes, list, 30_000);
  assert.equal(changes.since, 5_000);
  sweep(changes, list, 60_000);
  assert.equal(changes.since, 6_000);
  sweep(changes, listed([2, 6_000]), 90_000);
  assert.equal(changes.since, 6_000);
});

it('an empty repository is listed from the beginning, and a saved position is never left behind', () => {
  const changes = new RepositoryChanges(null);
  sweep(changes, listed(), 0);
  assert.equal(changes.since, 0);
  const saved = new RepositoryChanges(7_000);
  sweep(saved, listed(), 0);
  assert.equal(saved.since, 7_000);
});
