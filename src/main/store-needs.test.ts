import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeNeeds } from './store-needs.ts';

test('a command says once and in words what a hall would log with every attempt', () => {
  const said: string[] = [];
  const { log } = storeNeeds((line) => said.push(line));
  log.info('hall started');
  for (const attempt of [1, 2, 3]) {
    log.warn('database operation failed, retrying', { attempt, error: 'connection refused' });
  }
  log.warn('database operation failed, retrying', { attempt: 4, error: 'no such database' });
  log.error('anchor not written');
  assert.deepEqual(said, [
    'database operation failed, retrying: connection refused',
    'database operation failed, retrying: no such database',
    'anchor not written',
  ]);
});
