import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { handedOver } from './handed-over.ts';

const since = '2026-11-16T10:00:00.000Z';

describe('who has a thread', () => {
  it('is named when a person took it, and called a person when the hall gave it up', () => {
    const taken = handedOver({ by: 'operator:ada', since, because: 'mine now' });
    assert.match(taken.join(''), /^handed over to operator:ada since .*: mine now$/);
    const left = handedOver({ by: 'hall', since, because: 'npm: not found\nfix the machine' });
    assert.match(left.join(''), /^left to a person since .*: npm: not found\nfix the machine$/);
    assert.deepEqual(handedOver(null), []);
  });
});
