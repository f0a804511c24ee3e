import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forgeShop, SHOP, SHOP_PATH } from '../../../test/support/forge-shop.ts';

const ISSUES = `${SHOP_PATH}/issues`;
const START = Date.parse('2026-01-01T00:00:00Z');

describe('issues on the emulated GitHub', () => {
  it('lists are paged with links, and filtered by time, state and labels', async () => {
    let now = START;
    await using shop = await forgeShop('github', { now: () => now });
    const boss = shop.as('boss');
    for (let n = 1; n <= 5; n += 1) {
      now = START + n * 1_000;
      boss.openIssue(SHOP, { title: `Issue ${n}` });
    }
    now = START + 60_500;
    boss.addLabels(SHOP, 2, ['ready']);
    boss.closeIssue(SHOP, 5);
    const dev = shop.rest('dev');
    const numbers = async (query: string) =>
      (await dev('GET', `${ISSUES}?${query}`)).body.map(({ number }: { number: number }) => number);
    assert.deepEqual(await numbers('since=2026-01-01T00:01:00Z&state=all'), [5, 2]);
    assert.deepEqual(await numbers('labels=ready'), [2]);
    assert.deepEqual(await numbers('state=closed'), [5]);
    assert.deepEqual(await numbers('sort=updated&direction=asc'), [1, 3, 4, 2]);
    const first = await dev('GET', `${ISSUES}?per_page=2`);
    assert.match(first.headers.get('link') ?? '', /page=2>; rel="next", .*page=2>; rel="last"/);
    assert.deepEqual(await numbers('per_page=2&page=2'), [2, 1]);
  });

  it('a question that was asked before costs nothing while its answer is the same', async () => {
    await using shop = await forgeShop('github', { rateLimit: 3 });
    const first = await shop.rest('dev')('GET', ISSUES);
    const etag = first.headers.get('etag') ?? '';
    const again = shop.client(shop.token('dev'), { 'If-None-Match': etag });
    for (let n = 0; n < 5; n += 1) assert.equal((await again('GET', ISSUES)).status, 304);
    shop.as('dev').openIssue(SHOP, { title: 'New' });
    const changed = await again('GET', ISSUES);
    assert.deepEqual([changed.status, changed.headers.get('x-ratelimit-remaining')], [200, '1']);
  });

  it('who set and removed a label is known by account and time', async () => {
    await using shop = await forgeShop('github', { now: () => START });
    const number = shop.as('stranger').openIssue(SHOP, { title: 'A wish', labels: ['none'] });
    shop.as('dev').addLabels(SHOP, number, ['hall:dev']);
    shop.as('boss').removeLabel(SHOP, number, 'hall:dev');
    shop.as('boss').assign(SHOP, number, 'dev');
    shop.as('stranger').comment(SHOP, number, 'thanks');
    const { body } = await shop.rest('dev')('GET', `${ISSUES}/${number}/timeline`);
    assert.deepEqual(
      body.map((each: { event: string; actor: { login: string }; created_at: string }) => [
        each.event,
        each.actor.login,
        each.created_at,
      ]),
      [
        ['labeled', 'dev', '2026-01-01T00:00:00Z'],
        ['unlabeled', 'boss', '2026-01-01T00:00:00Z'],
        ['assigned', 'boss', '2026-01-01T00:00:00Z'],
        ['commented', 'stranger', '2026-01-01T00:00:00Z'],
      ],
    );
    const events = await shop.rest('dev')('GET', `${ISSUES}/${number}/events`);
    assert.equal(events.body.length, 3);
  });

  it('comments are edited and deleted by their author and by people who may write', async () => {
    await using shop = await forgeShop('github');
    const number = shop.as('dev').openIssue(SHOP, { title: 'Talk' });
    const id = shop.as('dev').comment(SHOP, number, 'mine');
    const path = `${ISSUES}/comments/${id}`;
    assert.equal((await shop.rest('stranger')('PATCH', path, { body: 'theirs' })).status, 403);
    assert.equal((await shop.rest('boss')('PATCH', path, { body: 'edited' })).status, 200);
    assert.equal((await shop.rest('dev')('GET', path)).body.body, 'edited');
    const all = await shop.rest('dev')('GET', `${ISSUES}/comments?since=2020-01-01T00:00:00Z`);
    assert.equal(all.body.length, 1);
    assert.equal((await shop.rest('dev')('DELETE', path)).status, 204);
    assert.equal((await shop.rest('dev')('GET', path)).status, 404);
    const long = await shop.rest('dev')('POST', `${ISSUES}/${number}/comments`, {
      body: 'x'.repeat(65_537),
    });
    assert.match(long.body.errors[0].message, /too long/);
  });

  it('labels have one name each, are made when an issue gets them, and removed by name', async () => {
    await using shop = await forgeShop('github');
    const dev = shop.rest('dev');
    const labels = `${SHOP_PATH}/labels`;
    assert.equal((await dev('POST', labels, { name: 'hall:dev', color: '0366d6' })).status, 201);
    const second = await dev('POST', labels, { name: 'Hall:Dev' });
    assert.deepEqual([second.status, second.body.errors[0].code], [422, 'already_exists']);
    const number = shop.as('dev').openIssue(SHOP, { title: 'Labels' });
    const path = `${ISSUES}/${number}/labels`;
    await dev('POST', path, { labels: ['hall:dev', 'new'] });
    await dev('PATCH', `${labels}/new`, { new_name: 'newer', color: 'ffffff' });
    assert.equal((await dev('PUT', path, { labels: ['newer'] })).body.length, 1);
    assert.deepEqual((await dev('DELETE', `${path}/newer`)).body, []);
    assert.equal((await dev('DELETE', `${path}/newer`)).status, 404);
    assert.equal((await dev('GET', labels)).body.length, 2);
    assert.equal((await dev('GET', `${labels}/hall%3Adev`)).body.color, '0366d6');
  });

  it('a stranger opens issues and comments, and can set neither labels nor assignees', async () => {
    await using shop = await forgeShop('github');
    const stranger = shop.rest('stranger');
    await shop.rest('dev')('POST', `${SHOP_PATH}/labels`, { name: 'hall:dev' });
    const opened = await stranger('POST', ISSUES, {
      ...{ title: 'Do it', labels: ['hall:dev'], assignees: ['dev'] },
    });
    assert.deepEqual([opened.body.labels, opened.body.assignees], [[], []]);
    const path = `${ISSUES}/${opened.body.number}`;
    assert.equal((await stranger('POST', `${path}/labels`, { labels: ['hall:dev'] })).status, 403);
    assert.equal((await stranger('POST', `${path}/assignees`, { assignees: ['dev'] })).status, 403);
    assert.equal((await stranger('PATCH', path, { title: 'Mine' })).body.title, 'Mine');
    const permission = `${SHOP_PATH}/collaborators/stranger/permission`;
    assert.equal((await shop.rest('dev')('GET', permission)).body.permission, 'read');
  });

  it('a deleted issue is gone, and a renamed repository redirects, also for git', async () => {
    await using shop = await forgeShop('github');
    const dev = shop.rest('dev');
    const number = shop.as('dev').openIssue(SHOP, { title: 'Gone soon' });
    shop.as('boss').deleteIssue(SHOP, number);
    assert.equal((await dev('GET', `${ISSUES}/${number}`)).status, 410);
    shop.forge.control.renameRepository(SHOP, 'store');
    const moved = await dev('GET', SHOP_PATH);
    assert.equal(moved.status, 301);
    const headers = { Authorization: `Bearer ${shop.token('dev')}` };
    const followed = await fetch(moved.headers.get('location') ?? '', { headers });
    assert.equal(((await followed.json()) as { name: string }).name, 'store');
    const git = `${shop.forge.url}/${SHOP}.git/info/refs?service=git-upload-pack`;
    assert.equal((await fetch(git, { redirect: 'manual' })).status, 301);
  });

  it('sub-issues are linked once, and counted on their parent', async () => {
    await using shop = await forgeShop('github');
    const dev = shop.rest('dev');
    const parent = shop.as('dev').openIssue(SHOP, { title: 'All' });
    const { body: child } = await dev('POST', ISSUES, { title: 'A part' });
    const path = `${ISSUES}/${parent}/sub_issues`;
    assert.equal((await dev('POST', path, { sub_issue_id: child.id })).status, 201);
    shop.as('dev').closeIssue(SHOP, child.number);
    assert.equal((await dev('GET', path)).body[0].number, child.number);
    const { body } = await dev('GET', `${ISSUES}/${parent}`);
    assert.deepEqual(body.sub_issues_summary, { total: 1, completed: 1, percent_completed: 100 });
  });
});
