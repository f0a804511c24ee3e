import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { captureDifferences, captureOf, readCapture } from '../support/gitea-capture.ts';
import { playOnRealGitea } from '../support/real-gitea/play-story.ts';

/** Folders with the programs, given by the run where it has them. */
const REAL = {
  gitea: process.env['GUILDHALL_TEST_GITEA'],
  forgejo: process.env['GUILDHALL_TEST_FORGEJO'],
};

describe('a real Gitea', {
  skip: REAL.gitea === undefined && 'there is no Gitea in the cache',
}, () => {
  it('a real Gitea with its runner still tells the story as it was captured', async () => {
    const played = captureOf(await playOnRealGitea(REAL.gitea ?? ''));
    assert.deepEqual(captureDifferences(readCapture(), played), []);
  });
});
