import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shutdownMessage } from './shutdown-message.ts';

const TIMES = { grace: 30_000, deadAfter: 360_000 };

describe('the message of a hall that shuts down', () => {
  it('the shutdown message says how long the hall waits and how to stop it at once', () => {
    assert.equal(
      shutdownMessage(0, TIMES),
      'waiting up to 30 s for active requests; press Ctrl-C again to stop at once',
    );
  });

  it('the shutdown message counts the workers that continue, and says until when they can report', () => {
    assert.match(
      shutdownMessage(1, TIMES),
      /\n1 worker continues its run and can report if the hall is back within 360 s$/,
    );
    assert.match(shutdownMessage(2, TIMES), /\n2 workers continue their runs and can report if/);
  });
});
