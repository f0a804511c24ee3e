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

describe('the place of a conversation', () => {
  test('a conversation is kept under the number of the issue, even once there is a pull request', () => {
    assert.equal(keys(41, { issue: at(7) })[0], 'dev:github:acme/shop:7');
    assert.equal(keys(41, { issue: at(7), pr })[0], 'dev:github:acme/shop:7');
  });

  test('a conversation without an issue is kept under the pull request, and found where it was before', () => {
    const [first] = keys(41);
    const [second, ...before] = keys(41, { pr });
    assert.equal(second, 'dev:github:acme/shop:9');
    assert.deepEqual(before, [first]);
  });

  test('two threads with the same number on the forge never share a conversation', () => {
    assert.deepEqual(
      keys(7).filter((key) => keys(41, { issue: at(7) }).includes(key)),
      [],
    );
  });
});
