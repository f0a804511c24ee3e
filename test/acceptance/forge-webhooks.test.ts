import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForgeHall } from '../support/forge-hall.ts';
import { until } from '../support/hall-fixture.ts';

describe('a repository that a webhook covers', () => {
  it('starts work by deliveries alone, however the project spells its name, and does not wait for CI that never comes', async () => {
    await using shop = await ForgeHall.open({
      kind: 'gitea',
      project: { repo: 'gitea:Acme/Shop', ci_wait: '2s' },
      poll: { covered: '1h' },
    });
    await until('the hall knows that it is covered', async () => {
      const health = JSON.stringify(await shop.fixture.get('/v1/health'));
      return health.includes('gitea:Acme/Shop by webhook');
    });
    const number = shop.issue();
    const claim = await shop.claim('implement');
    const { thread } = await shop.fixture.get(`/v1/threads/${claim.task.thread}`);
    assert.equal(thread.issue.number, number);
    await shop.push(claim);
    await shop.thread('CI never comes', ({ checks }) => checks?.is === 'none');
  });
});
