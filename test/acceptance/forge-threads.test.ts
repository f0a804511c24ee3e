import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForgeHall, HOOK_SECRET, REPO } from '../support/forge-hall.ts';
import { type Json, until } from '../support/hall-fixture.ts';

const API = 'acme/api';
const GREEN = () => [{ name: 'test', conclusion: 'success' } as const];
const inApi = (target: string) => ({ body: `### Target repository\n\n${target}\n` });

describe('issues that ask for something special', () => {
  it('HA-033a HA-033b: work in another repository has its branch, pull request and CI there and a card on both, for those who may write in both', async () => {
    await using shop = await ForgeHall.open({ more: [API] });
    const { control } = shop.forge;
    control.setCi(GREEN);
    const number = shop.issue('hall:dev', { title: 'Add an endpoint', ...inApi(API) });
    const claim = await shop.claim('implement');
    assert.equal(claim.task.project, 'api');
    const { caller } = await shop.worker();
    const { body: brief } = await caller.get(`/v1/runs/${claim.run}/brief`);
    assert.deepEqual([brief.repo, brief.branch], [`github:${API}`, 'hall/dev/acme-shop-issue-1']);
    await shop.push(claim, { repo: API, branch: brief.branch });
    const pull = await shop.pull(API);
    assert.match(pull.body, /^Closes acme\/shop#1\./);
    await shop.thread('CI there is green', ({ checks }) => checks?.is === 'green');
    await shop.card(number, /pr-opened|analyzing|queued/);
    await shop.card(pull.number, /hall\/dev\/acme-shop-issue-1/, API);
    assert.deepEqual(await shop.ask(`/repos/${REPO}/pulls?state=all`), []);

    const none = shop.issue('hall:dev', inApi('acme/none'));
    await shop.comment(none, /`acme\/none` is not the repository of a project/);
    control.setRole(API, 'bob', 'read');
    const bob = control.as('bob');
    const refused = bob.openIssue(REPO, { title: 'Mine', ...inApi(API) });
    bob.addLabels(REPO, refused, ['hall:dev']);
    await shop.comment(refused, /@bob may not start an agent in `acme\/api`/);
    assert.equal((await shop.threads()).length, 1);
  });

  it('HA-033c X-018b: an agent that advises gets a workspace that nothing leaves, its answer is a comment, and no secret is in card or comment', async () => {
    await using shop = await ForgeHall.open();
    const number = shop.issue('hall:dev', { body: '### Mode\n\nadvising\n' });
    const worker = await shop.worker();
    const question = `Is ${HOOK_SECRET} right, or ghp_012345678901234567890123456789?`;
    await worker.mustCall('ask', await shop.claim('advise'), { question });
    const card = await shop.card(number, /awaiting-input[\s\S]*Is \[redacted\] right/);
    assert.doesNotMatch(card, /ghp_0123/);
    shop.ada.comment(REPO, number, 'Neither.');
    const claim = await shop.claim('advise');
    const { body: brief } = await worker.caller.get(`/v1/runs/${claim.run}/brief`);
    assert.equal(brief.writes, false);
    const name = Buffer.from(`${claim.run}.${claim.fence}:${worker.token}`).toString('base64');
    const tip = shop.forge.control.tip(REPO, 'main');
    const line = `${'0'.repeat(40)} ${tip} refs/heads/${brief.branch}\0report-status`;
    const pushed = await fetch(`${shop.hall.url}/git/shop.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${name}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
      body: `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`,
    });
    assert.equal(pushed.status, 403);
    const details = `Use a map. Ask @bob for ${HOOK_SECRET} or ghp_012345678901234567890123456789.`;
    await worker.mustCall('report', claim, {
      outcome: 'comment_posted',
      summary: 'Done.',
      details,
    });
    const answer = await shop.comment(number, /Use a map/);
    assert.doesNotMatch(answer, /@bob|ghp_0123|the-secret-of/);
    await shop.card(number, /done/);
    assert.equal(shop.forge.control.tip(REPO, brief.branch), null);
    assert.deepEqual(await shop.ask(`/repos/${REPO}/pulls?state=all`), []);
  });
});

describe('what people do to the work of agents', () => {
  it('X-016b X-016c: an existing branch, a reopened pull request, a moved base, a forced push, a deleted issue and a renamed repository each have one outcome', async () => {
    await using shop = await ForgeHall.open();
    const { control } = shop.forge;
    control.setCi(GREEN);
    control.setRole(REPO, 'ada', 'admin');
    const branch = 'hall/dev/issue-1';
    await shop.ada.push(REPO, { branch, files: { 'old.txt': 'left behind\n' } });
    const number = shop.issue();
    await shop.push(await shop.claim('implement'), { branch });
    const pull = await shop.pull();
    await shop.thread('it is open', ({ pr }) => pr?.state === 'open');

    const main = await shop.ada.push(REPO, { branch: 'main', files: { 'm.txt': 'm\n' } });
    const forced = await shop.ada.push(REPO, { branch, from: main, files: { 'f.txt': 'f\n' } });
    const moved = await shop.thread('the forced push counts', (each) => each.head === forced);
    assert.equal(moved.pr.number, pull.number);

    shop.ada.closePull(REPO, pull.number);
    await until('the thread has ended', async () => (await shop.threads())[0]?.state === 'ended');
    shop.ada.reopenPull(REPO, pull.number);
    shop.ada.removeLabel(REPO, number, 'hall:dev');
    shop.ada.addLabels(REPO, number, ['hall:dev']);
    await shop.push(await shop.claim('implement'), { branch });
    await shop.thread('the same one is used', ({ pr }) => pr?.number === pull.number);
    assert.equal(((await shop.ask(`/repos/${REPO}/pulls?state=all`)) as Json[]).length, 1);

    const deleted = shop.issue();
    const open = await shop.thread('it is posted', ({ tasks }) => tasks.length > 0, deleted);
    shop.ada.deleteIssue(REPO, deleted);
    await until('its task is cancelled', async () => {
      const { task } = await shop.fixture.taskDetail(open.tasks[0]);
      return task.state === 'cancelled' && /its issue was deleted/.test(task.summary);
    });

    const kept = shop.issue();
    await shop.thread('it is posted', ({ tasks }) => tasks.length > 0, kept);
    control.renameRepository(REPO, 'store');
    await until('health says so', async () => {
      const health = await shop.fixture.get('/v1/health');
      return /acme\/shop is not there: it was renamed or deleted/.test(JSON.stringify(health));
    });
    const still = await shop.thread('nothing is cancelled', () => true, kept);
    assert.equal(still.tasks.length, 1);
  });
});
