import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TaskId, ThreadId } from './ids.ts';
import { Journal } from './journaled-map.ts';
import { ReadySet, type Route } from './ready-set.ts';

function route(project: string): Route {
  return { project, type: 'dev', instance: null, labels: [], labelWaitExpired: false };
}

const THREAD = 1 as ThreadId;
const TASK = 1 as TaskId;

describe('the ready set', () => {
  test('the ready set keeps no memory of routes without tasks', () => {
    const ready = new ReadySet(new Journal());
    ready.add(route('stays'), THREAD, TASK);
    for (let n = 0; n < 10_000; n += 1) {
      ready.add(route(`p-${n}`), THREAD, TASK);
      ready.remove(route(`p-${n}`), THREAD, TASK);
      ready.commit();
    }
    assert.ok(ready.size < 1_000, `${ready.size} buckets`);
    assert.equal([...ready.all()].length, 1);
  });

  test('a rollback restores the ready set', () => {
    const journal = new Journal();
    const ready = new ReadySet(journal);
    ready.add(route('p'), THREAD, TASK);
    journal.commit();
    ready.commit();
    ready.remove(route('p'), THREAD, TASK);
    journal.rollback();
    assert.deepEqual([...ready.all()], [[route('p'), THREAD, TASK]]);
  });
});
