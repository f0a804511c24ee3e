import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeNeeds } from './store-options.ts';

test('a command prints a repeated warning once, as text, where a hall would log every attempt', () => {
  const printed: string[] = [];
  const { log } = storeNeeds((line) => printed.push(line));
  log.info('hall started');
  for (const attempt of [1, 2, 3]) {
    log.warn('database operation failed, retrying', { attempt, error: 'connection refused' });
  }
  log.warn('database operation failed, retrying', { attempt: 4, error: 'no such database' });
  log.error('anchor not written');
  assert.deepEqual(printed, [
    'database operation failed, retrying: connection refused',
    'database operation failed, retrying: no such database',
    'anchor not written',
  ]);
});
