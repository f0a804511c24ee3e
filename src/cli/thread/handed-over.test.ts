import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { handedOver } from './handed-over.ts';

const since = '2026-11-16T10:00:00.000Z';

describe('the owner of a thread', () => {
  it('a thread that a person took over names that person, and one that the hall gave up on waits for a person', () => {
    const taken = handedOver({ by: 'operator:ada', since, because: 'mine now' });
    assert.match(taken.join(''), /^handed over to operator:ada since .*: mine now$/);
    const left = handedOver({ by: 'hall', since, because: 'npm: not found\nfix the machine' });
    assert.match(left.join(''), /^waiting for a person since .*: npm: not found\nfix the machine$/);
    assert.deepEqual(handedOver(null), []);
  });
});
