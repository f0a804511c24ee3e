import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newestChecks } from './show.ts';

it('of the output of checks, thread show prints the newest and counts the earlier ones', () => {
  const notes = ['checks', 'note', 'checks', 'answer'].map((kind, n) => ({ kind, n }));
  assert.deepEqual(newestChecks({ notes }), { notes: notes.slice(1), hidden: 1 });
  assert.deepEqual(newestChecks({ notes: notes.slice(1, 2) }), {
    notes: notes.slice(1, 2),
    hidden: 0,
  });
});
