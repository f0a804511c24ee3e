import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  appJwt,
  type ForgeFixture,
  forgeFixture,
  HOOK_SECRET,
} from '../../../test/support/forge-fixture.ts';
import { gitBeside, write } from '../../../test/support/git-fixture.ts';
import { redThenGreen } from './state/ci-script.ts';

const PERMISSIONS = {
  contents: 'write',
  issues: 'write',
  pull_requests: 'write',
  checks: 'write',
  statuses: 'write',
  actions: 'write',
  members: 'read',
};
const EVENTS = [
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'push',
  'status',
  'check_run',
  'check_suite',
  'workflow_run',
  'workflow_job',
];
const SHOP = '/repos/acme/shop';

describe('the story of an issue on the emulated GitHub', () => {
  it('an issue is labelled, answered, fixed by a pull request, checked, reviewed and merged', async () => {
    await using fixture = await shop();
    const { forge, received } = fixture;
    const boss = forge.control.as('boss');
    forge.control.setCi(redThenGreen({ job: 'test', log: 'expected 2, got 3\n', base: 'main' }));
    const { app, token } = await installed(fixture);
    const hall = fixture.client(token);

    const issue = boss.openIssue('acme/shop', { title: 'Sum is wrong', body: '1 + 1 is 3' });
    boss.addLabels('acme/shop', issue, ['hall:dev']);
    const events = await hall('GET', `${SHOP}/issues/${issue}/events`);
    assert.equal(events.body[0].event, 'labeled');
    assert.equal(events.body[0].actor.login, 'boss');

    const card = await hall('POST', `${SHOP}/issues/${issue}/comments`, { body: 'working' });
    assert.deepEqual([card.status, card.body.user.type], [201, 'Bot']);
    await hall('PATCH', `${SHOP}/issues/comments/${card.body.id}`, { body: 'pull request opened' });

    const work = await clone(fixture, token);
    const first = await commit(work, 'hall/dev/issue-1', { 'sum.js': 'return a - b\n' });
    const opened = await hall('POST', `${SHOP}/pulls`, {
      title: 'Fix the sum',
      head: 'hall/dev/issue-1',
      base: 'main',
      body: `Closes #${issue}.`,
    });
    assert.equal(opened.status, 201);
    const { number } = opened.body;
    assert.equal(opened.body.head.sha, first);
    await forge.idle();
    const red = await hall('GET', `${SHOP}/commits/hall/dev/issue-1/check-runs`);
    assert.deepEqual(
      red.body.check_runs.map((run: { name: string; conclusion: string }) => [
        run.name,
        run.conclusion,
      ]),
      [['test', 'failure']],
    );
    const runs = await hall('GET', `${SHOP}/actions/runs?head_sha=${first}`);
    const jobs = await hall('GET', `${SHOP}/actions/runs/${runs.body.workflow_runs[0].id}/jobs`);
    const log = await hall('GET', `${SHOP}/actions/jobs/${jobs.body.jobs[0].id}/logs`);
    assert.equal(log.status, 302);
    const text = await (await fetch(String(log.headers.get('location')))).text();
    assert.match(text, /^\d{4}-\d\d-\d\dT\S+Z expected 2, got 3\n$/);

    const second = await commit(work, 'hall/dev/issue-1', { 'sum.js': 'return a + b\n' });
    await forge.idle();
    const moved = await hall('GET', `${SHOP}/pulls/${number}`);
    assert.equal(moved.body.head.sha, second);
    assert.deepEqual([moved.body.mergeable, moved.body.mergeable_state], [null, 'unknown']);
    await forge.idle();
    const known = await hall('GET', `${SHOP}/pulls/${number}`);
    assert.deepEqual([known.body.mergeable, known.body.mergeable_state], [true, 'clean']);

    await boss.review('acme/shop', number, {
      state: 'changes_requested',
      body: 'say why',
      comments: [{ path: 'sum.js', line: 1, body: 'a comment?' }],
    });
    await boss.review('acme/shop', number, { state: 'approved' });
    const reviews = await hall('GET', `${SHOP}/pulls/${number}/reviews`);
    assert.deepEqual(
      reviews.body.map((each: { state: string; commit_id: string }) => [
        each.state,
        each.commit_id,
      ]),
      [
        ['CHANGES_REQUESTED', second],
        ['APPROVED', second],
      ],
    );
    const comments = await hall('GET', `${SHOP}/pulls/${number}/comments`);
    assert.equal(comments.body[0].path, 'sum.js');

    const stale = await hall('PUT', `${SHOP}/pulls/${number}/merge`, { sha: first });
    assert.equal(stale.status, 409);
    const merged = await hall('PUT', `${SHOP}/pulls/${number}/merge`, {
      sha: second,
      merge_method: 'squash',
    });
    assert.equal(merged.body.merged, true);
    const closed = await hall('GET', `${SHOP}/issues/${issue}`);
    assert.equal(closed.body.state, 'closed');
    assert.equal((await hall('DELETE', `${SHOP}/git/refs/heads/hall/dev/issue-1`)).status, 204);

    await forge.idle();
    const names = received.map(({ name }) => name);
    for (const name of [
      'issues opened',
      'issues labeled',
      'issue_comment created',
      'issue_comment edited',
      'push',
      'pull_request opened',
      'check_run completed',
      'check_suite completed',
      'workflow_run completed',
      'pull_request synchronize',
      'pull_request_review submitted',
      'pull_request closed',
      'issues closed',
    ]) {
      assert.ok(names.includes(name), `${name} was not delivered: ${names}`);
    }
    for (const { headers, raw, body } of received) {
      const signature = createHmac('sha256', HOOK_SECRET).update(raw).digest('hex');
      assert.equal(headers['x-hub-signature-256'], `sha256=${signature}`);
      assert.ok(body.installation.id > 0);
    }
    assert.equal(app.login, 'guildhall[bot]');
  });
});

async function shop(): Promise<ForgeFixture> {
  const fixture = await forgeFixture('github');
  const { control } = fixture.forge;
  control.addPerson('boss');
  control.addPerson('stranger');
  control.addOrganization('acme');
  control.addTeam('acme', 'core', ['boss']);
  await control.addRepository('acme/shop', { files: { 'sum.js': 'return 3\n' } });
  control.setRole('acme/shop', 'boss', 'admin');
  return fixture;
}

async function installed(fixture: ForgeFixture) {
  const { control } = fixture.forge;
  const hook = { url: fixture.hookUrl, secret: HOOK_SECRET };
  const app = control.addApp({
    owner: 'boss',
    name: 'Guildhall',
    permissions: PERMISSIONS,
    events: EVENTS,
    hook,
  });
  control.installApp(app.id, 'acme');
  const asApp = fixture.client(appJwt(app.id, app.privateKey));
  const { body: installation } = await asApp('GET', `${SHOP}/installation`);
  const path = `/app/installations/${installation.id}/access_tokens`;
  const { body } = await asApp('POST', path, { repositories: ['shop'] });
  return { app, token: String(body.token) };
}

async function clone({ forge, folder }: ForgeFixture, token: string): Promise<string> {
  const url = forge.url.replace('://', `://x-access-token:${token}@`);
  await gitBeside(folder, 'clone', '--quiet', `${url}/acme/shop.git`, 'work');
  return `${folder}/work`;
}

async function commit(
  work: string,
  branch: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  await gitBeside(work, 'checkout', '--quiet', '-B', branch);
  write(work, files);
  await gitBeside(work, 'add', '--all');
  await gitBeside(work, 'commit', '--quiet', '-m', 'Fix the sum');
  await gitBeside(work, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
  return gitBeside(work, 'rev-parse', 'HEAD');
}
