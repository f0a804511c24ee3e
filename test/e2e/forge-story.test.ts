import { describe, it } from 'node:test';
import { EMULATED, emulatedForge } from '../support/forge-server.ts';
import { ForgeStory } from '../support/forge-story.ts';
import { casesInTier } from '../support/tier.ts';
import { whyNoWorkers } from '../support/worker-fixture.ts';

for (const kind of casesInTier(EMULATED, (each) => each === 'github')) {
  describe(`an issue on ${kind}`, { skip: await whyNoWorkers() }, () => {
    it(`HA-020a: on ${kind} a label becomes a pull request, which is fixed after red CI, changed after a review, and merged`, async () => {
      await using story = await ForgeStory.open(await emulatedForge(kind));
      await story.play();
      await story.nothingDoubledNothingLost();
    });
  });
}
