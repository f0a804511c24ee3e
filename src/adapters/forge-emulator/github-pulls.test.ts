import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forgeShop, openPull, SHOP, SHOP_PATH } from '../../../test/support/forge-shop.ts';

const PULLS = `${SHOP_PATH}/pulls`;

describe('pull requests on the emulated GitHub', () => {
  it('a second pull request of a branch, one without commits and one of no branch are refused', async () => {
    await using shop = await forgeShop('github');
    const dev = shop.rest('dev');
    await openPull(shop);
    const plan = { title: 'Again', head: 'work', base: 'main' };
    const second = await dev('POST', PULLS, plan);
    assert.equal(second.status, 422);
    assert.match(second.body.errors[0].message, /^A pull request already exists for acme:work\.$/);
    for (const head of ['main', 'nothing']) {
      assert.equal((await dev('POST', PULLS, { ...plan, head })).status, 422);
    }
  });

  it('nobody approves or rejects their own pull request, and anybody may comment on it', async () => {
    await using shop = await forgeShop('github');
    const path = `${PULLS}/${await openPull(shop)}/reviews`;
    const dev = shop.rest('dev');
    for (const event of ['APPROVE', 'REQUEST_CHANGES']) {
      const own = await dev('POST', path, { event, body: 'mine' });
      assert.equal(own.status, 422);
      assert.match(own.body.errors[0], /^Review Can not .* your own pull request$/);
    }
    const comment = await dev('POST', path, { event: 'COMMENT', body: 'see' });
    assert.deepEqual([comment.status, comment.body.state], [200, 'COMMENTED']);
  });

  it('a review with one comment outside the diff is refused as a whole', async () => {
    await using shop = await forgeShop('github');
    const path = `${PULLS}/${await openPull(shop)}`;
    const boss = shop.rest('boss');
    const good = { path: 'b.txt', line: 1, body: 'good' };
    for (const bad of [
      { ...good, line: 9 },
      { ...good, path: 'a.txt' },
    ]) {
      const review = { event: 'COMMENT', body: 'two', comments: [good, bad] };
      assert.equal((await boss('POST', `${path}/reviews`, review)).status, 422);
    }
    assert.deepEqual((await boss('GET', `${path}/comments`)).body, []);
    const right = { event: 'COMMENT', body: 'one', comments: [good] };
    const { body } = await boss('POST', `${path}/reviews`, right);
    const comments = await boss('GET', `${path}/reviews/${body.id}/comments`);
    assert.equal(comments.body[0].body, 'good');
  });

  it('a merge tells a stale head, a conflict, missing checks, a missing approval and "not yet" apart', async () => {
    await using shop = await forgeShop('github');
    const { control } = shop.forge;
    const number = await openPull(shop);
    const merge = (sha?: string) =>
      shop.rest('dev')('PUT', `${PULLS}/${number}/merge`, sha === undefined ? {} : { sha });
    const head = control.tip(SHOP, 'work') ?? '';

    assert.equal((await merge('1'.repeat(40))).status, 409);
    control.holdMergeability(true);
    const notYet = await merge(head);
    assert.deepEqual([notYet.status, /try the merge again/.test(notYet.body.message)], [405, true]);
    control.holdMergeability(false);

    control.protect(SHOP, 'main', { requiredChecks: ['ci'], requiredApprovals: 1 });
    assert.match((await merge(head)).body.message, /status checks/);
    const green = { state: 'success', context: 'ci' };
    await shop.rest('dev')('POST', `${SHOP_PATH}/statuses/${head}`, green);
    assert.match((await merge(head)).body.message, /approving review/);
    await shop.as('boss').review(SHOP, number, { state: 'approved' });

    await shop.as('boss').push(SHOP, { branch: 'main', files: { 'b.txt': 'other\n' } });
    const conflict = await merge(head);
    assert.deepEqual(
      [conflict.status, conflict.body.message],
      [405, 'Pull Request is not mergeable'],
    );
    const { body } = await shop.rest('dev')('GET', `${PULLS}/${number}`);
    assert.equal(body.mergeable_state, 'dirty');
  });

  for (const how of ['merge', 'squash', 'rebase']) {
    it(`a pull request is merged by ${how}, and a second time is refused`, async () => {
      await using shop = await forgeShop('github');
      const number = await openPull(shop);
      await shop.as('dev').push(SHOP, { branch: 'work', files: { 'c.txt': 'c\n' } });
      await shop.as('boss').push(SHOP, { branch: 'main', files: { 'd.txt': 'd\n' } });
      const dev = shop.rest('dev');
      const merged = await dev('PUT', `${PULLS}/${number}/merge`, { merge_method: how });
      assert.equal(merged.status, 200);
      const { body: commit } = await dev('GET', `${SHOP_PATH}/commits/main`);
      assert.deepEqual(
        [commit.sha, commit.parents.length],
        [merged.body.sha, how === 'merge' ? 2 : 1],
      );
      const again = await dev('PUT', `${PULLS}/${number}/merge`, { merge_method: how });
      assert.equal(again.status, 405);
    });
  }

  it('a merge closes the issues that the text names, also in another repository', async () => {
    await using shop = await forgeShop('github');
    const { control } = shop.forge;
    await control.addRepository('acme/board');
    control.setRole('acme/board', 'boss', 'write');
    const here = shop.as('boss').openIssue(SHOP, { title: 'Here' });
    const there = shop.as('boss').openIssue('acme/board', { title: 'There' });
    const number = await openPull(shop, `Closes #${here}. Fixes acme/board#${there}`);
    await shop.as('boss').merge(SHOP, number);
    for (const path of [`${SHOP_PATH}/issues/${here}`, `/repos/acme/board/issues/${there}`]) {
      assert.equal((await shop.rest('boss')('GET', path)).body.state, 'closed');
    }
  });

  it('a pull request is merged when its commits are pushed to the base, and closed when its branch is deleted', async () => {
    await using shop = await forgeShop('github');
    const dev = shop.as('dev');
    const first = await openPull(shop);
    await dev.push(SHOP, {
      ...{ branch: 'main', files: { 'e.txt': 'e\n' } },
      from: shop.forge.control.tip(SHOP, 'work') ?? '',
    });
    const merged = await shop.rest('dev')('GET', `${PULLS}/${first}`);
    assert.deepEqual([merged.body.state, merged.body.merged], ['closed', true]);

    await dev.push(SHOP, { branch: 'other', files: { 'f.txt': 'f\n' } });
    const second = await dev.openPull(SHOP, { title: 'Add f', head: 'other' });
    await dev.deleteBranch(SHOP, 'other');
    const closed = await shop.rest('dev')('GET', `${PULLS}/${second}`);
    assert.deepEqual([closed.body.state, closed.body.merged], ['closed', false]);
    const reopened = await shop.rest('dev')('PATCH', `${PULLS}/${second}`, { state: 'open' });
    assert.equal(reopened.status, 422);
    assert.match(reopened.body.errors[0].message, /has been deleted/);
  });

  it('a pull request is found by its branch, reopened, and given another base', async () => {
    await using shop = await forgeShop('github');
    const dev = shop.rest('dev');
    const number = await openPull(shop);
    await shop.as('dev').push(SHOP, { branch: 'next', files: { 'n.txt': 'n\n' } });
    shop.as('dev').closePull(SHOP, number);
    const found = await dev('GET', `${PULLS}?state=all&head=acme:work`);
    assert.deepEqual([found.body.length, found.body[0].number], [1, number]);
    assert.deepEqual((await dev('GET', `${PULLS}?head=acme:none`)).body, []);
    const edited = { state: 'open', base: 'next', title: 'New' };
    const { body } = await dev('PATCH', `${PULLS}/${number}`, edited);
    assert.deepEqual([body.state, body.base.ref, body.title], ['open', 'next', 'New']);
  });

  it('a pull request from a fork has its head there, and a push to the fork moves it', async () => {
    await using shop = await forgeShop('github');
    const { control } = shop.forge;
    await control.fork(SHOP, 'stranger');
    const stranger = shop.as('stranger');
    await stranger.push('stranger/shop', { branch: 'gift', files: { 'g.txt': 'g\n' } });
    const number = await stranger.openPull(SHOP, { title: 'A gift', head: 'stranger:gift' });
    const sha = await stranger.push('stranger/shop', { branch: 'gift', files: { 'g.txt': 'G\n' } });
    const { body } = await shop.rest('boss')('GET', `${PULLS}/${number}`);
    assert.deepEqual([body.head.repo.full_name, body.head.sha], ['stranger/shop', sha]);
    await shop.as('boss').merge(SHOP, number);
    assert.notEqual(control.tip(SHOP, 'main'), null);
  });

  it('only people who may work on the repository are asked for a review', async () => {
    await using shop = await forgeShop('github');
    const path = `${PULLS}/${await openPull(shop)}/requested_reviewers`;
    const dev = shop.rest('dev');
    assert.equal((await dev('POST', path, { reviewers: ['stranger'] })).status, 422);
    assert.equal((await dev('POST', path, { reviewers: ['dev'] })).status, 422);
    const asked = await dev('POST', path, { reviewers: ['boss'] });
    assert.deepEqual([asked.status, asked.body.requested_reviewers[0].login], [201, 'boss']);
  });
});
