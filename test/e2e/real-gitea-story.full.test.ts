import { describe, it } from 'node:test';
import { realGitea } from '../support/forge-server.ts';
import { ForgeStory } from '../support/forge-story.ts';
import { whyNoWorkers } from '../support/worker-fixture.ts';

/** The folder with the programs, given by the run where it has them. */
const built = process.env['GUILDHALL_TEST_GITEA'];
const skip = built === undefined ? 'there is no Gitea in the cache' : await whyNoWorkers();

describe('an issue on a real Gitea', { skip }, () => {
  it('HA-020a: on a real Gitea a label becomes a pull request, which is fixed after a red run of Actions, changed after a review, and merged', async () => {
    await using story = await ForgeStory.open(await realGitea(built ?? ''), {
      hasHook: true,
      poll: '2s',
    });
    await story.play();
    await story.nothingDoubledNothingLost();
  });
});
