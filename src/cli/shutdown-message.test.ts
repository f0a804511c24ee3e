import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shutdownMessage } from './shutdown-message.ts';

const TIMES = { grace: 30_000, deadAfter: 360_000 };

describe('what a hall says that was told to stop', () => {
  it('is how long it waits for what, and how to wait no longer', () => {
    assert.equal(
      shutdownMessage(0, TIMES),
      'waits up to 30 s for requests under way; Ctrl-C again stops at once',
    );
  });

  it('names those who go on, and until when they can come back', () => {
    assert.match(
      shutdownMessage(1, TIMES),
      /\n1 worker goes on with its run and reports if the hall is back within 360 s$/,
    );
    assert.match(shutdownMessage(2, TIMES), /\n2 workers go on with their runs and report if/);
  });
});
