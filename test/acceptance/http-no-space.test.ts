import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryStore } from '../../src/adapters/memory/store.ts';
import { createFaultyStore } from '../support/faulty-store.ts';
import { startHall } from '../support/hall.ts';

test('R07: a hall without space answers changes with 507 and reads as before, until there is space', async () => {
  const store = createFaultyStore(createMemoryStore());
  await using hall = await startHall({ store: { made: store } });
  await hall.post();
  store.fill();
  const task = { project: 'shop', title: 'too much' };
  const refused = await hall.caller.post('/v1/tasks', task, { key: 'once' });
  assert.deepEqual([refused.status, refused.body.code], [507, 'no_space']);
  assert.match(refused.body.detail, /nothing was changed; free some space/);
  for (const path of ['/v1/board', '/v1/tasks', '/v1/health', '/readyz']) {
    assert.equal((await hall.caller.get(path)).status, 200, path);
  }
  assert.equal((await hall.caller.get('/v1/board')).body.totals.open, 1);

  store.makeSpace();
  assert.equal((await hall.caller.post('/v1/tasks', task, { key: 'once' })).status, 201);
});
