import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { playOnEmulator } from '../../../test/support/emulated-gitea-story.ts';
import { captureDifferences, captureOf, readCapture } from '../../../test/support/gitea-capture.ts';

describe('the story of an issue on the emulated Gitea', () => {
  it('each call is answered as a real Gitea did, with hooks of the same events, headers and fields', async () => {
    const played = captureOf(await playOnEmulator());
    assert.deepEqual(captureDifferences(readCapture(), played), []);
    assert.equal(played.calls.length, readCapture().calls.length);
  });

  it('a difference from the real one is found, in a status, a field, a header and a missing hook', () => {
    const real = readCapture();
    const [first, ...calls] = real.calls;
    const [hook, ...deliveries] = real.deliveries;
    assert.ok(first && hook);
    const wrong = [
      { ...real, calls: [{ ...first, status: 500 }, ...calls] },
      { ...real, calls: [{ ...first, answer: { release: 1 } }, ...calls] },
      { ...real, deliveries: [{ ...hook, headers: [] }, ...deliveries] },
      { ...real, deliveries },
    ];
    for (const capture of wrong) assert.notDeepEqual(captureDifferences(real, capture), []);
    assert.deepEqual(captureDifferences(real, real), []);
  });
});
