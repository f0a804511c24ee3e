import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForgeHall } from '../support/forge-hall.ts';

const AFTER_THE_LAST_ROUND = {
  human: 'handed over',
  'on-approval': 'handed over',
  'force-at-max-rounds': 'merged',
} as const;

describe('the last round of review', () => {
  for (const [policy, outcome] of Object.entries(AFTER_THE_LAST_ROUND)) {
    it(`CH-080a: with merge_policy ${policy} a pull request that is not approved in max_rounds is ${outcome}`, async () => {
      const project = { merge_policy: policy, max_rounds: 2 };
      await using shop = await ForgeHall.open({ project });
      shop.forge.control.setCi(() => [{ name: 'test', conclusion: 'success' }]);
      const number = shop.issue();
      await shop.push(await shop.claim('implement'));
      await shop.review('changes_requested', { details: 'a.txt:1: wrong' });
      await shop.push(await shop.claim('address-review'));
      await shop.review('changes_requested', { details: 'a.txt:1: still wrong' });
      if (outcome === 'merged') {
        await shop.thread('it is merged', ({ pr }) => pr?.state === 'merged', number);
      } else {
        const over = await shop.thread('it is handed over', (each) => each.handed_over, number);
        assert.match(over.handed_over.because, /2 rounds of review did not end in an approval/);
        assert.equal(over.pr.state, 'open');
      }
      const skills = (await shop.tasks()).map(({ skill }) => skill).sort();
      assert.deepEqual(skills, ['address-review', 'implement', 'review', 'review']);
    });
  }
});
