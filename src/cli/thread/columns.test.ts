import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THREAD_COLUMNS, type Thread } from './columns.ts';

function waitsFor(thread: Partial<Thread>): unknown {
  const column = THREAD_COLUMNS.find(({ head }) => head === 'WAITS FOR');
  const plain = { blocked_by: [], handed_over: null, merge_waiting_for: null };
  return column?.cell({ ...plain, ...thread } as unknown as Thread);
}

test('the list of threads shows briefly what each thread is waiting for', () => {
  assert.equal(waitsFor({}), null);
  assert.equal(waitsFor({ blocked_by: ['th-1', 'th-2'] }), 'th-1, th-2');
  const merge_waiting_for = 'waits for a person to merge it: merge_policy is human';
  assert.equal(waitsFor({ merge_waiting_for }), 'a person to merge it');
  assert.equal(waitsFor({ merge_waiting_for: 'waits for its checks' }), 'its checks');
});
