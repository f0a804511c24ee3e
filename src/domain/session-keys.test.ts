import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ThreadId } from './ids.ts';
import { sessionKeys } from './session-keys.ts';
import { NOT_ON_FORGE, type ThreadOnForge } from './thread.ts';

const keys = (id: number, forge: Partial<ThreadOnForge> = {}) =>
  sessionKeys('dev', 'github:acme/shop', {
    id: id as ThreadId,
    forge: { ...NOT_ON_FORGE, ...forge },
  });
const at = (number: number) => ({ number, url: `https://forge.test/${number}` });
const pr = { ...at(9), state: 'open' } as const;

describe('where a conversation is kept', () => {
  test('is under the number of the issue, also once there is a pull request', () => {
    assert.equal(keys(41, { issue: at(7) })[0], 'dev:github:acme/shop:7');
    assert.equal(keys(41, { issue: at(7), pr })[0], 'dev:github:acme/shop:7');
  });

  test('is under the pull request where there is no issue, and found there from before it', () => {
    const [first] = keys(41);
    const [second, ...before] = keys(41, { pr });
    assert.equal(second, 'dev:github:acme/shop:9');
    assert.deepEqual(before, [first]);
  });

  test('of one thread is never that of another with the same number on the forge', () => {
    assert.deepEqual(
      keys(7).filter((key) => keys(41, { issue: at(7) }).includes(key)),
      [],
    );
  });
});
