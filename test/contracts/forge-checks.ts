import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createForgeWebhooks } from '../../src/adapters/forge/webhooks.ts';
import type { ForgeCheck } from '../../src/domain/forge/snapshot.ts';
import type { Received } from '../support/forge-fixture.ts';
import type { ForgeServer } from '../support/forge-server.ts';
import { gitBeside } from '../support/git-fixture.ts';
import { until } from '../support/hall-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { TheServer } from './forge.contract.ts';
import { aPull, BRANCH, lookAtPull } from './forge-pulls.ts';

/** Checks, deliveries and git. */
export function forgeChecks(name: string, the: TheServer): void {
  test(`checks of ${name} are the newest of each name, without the hall's own`, async () => {
    const { server, repo, pull, commit } = await aPull(the);
    const say = (context: string, state: string) =>
      server.person('ada').status(repo, commit, context, state);
    await say('build', 'pending');
    await say('lint', 'failure');
    const status = { repo, commit, summary: 'works', url: null };
    const own = { ...status, name: '[Hall] dev' };
    const { id } = await server.forge.setStatus({ ...own, is: 'pending', id: null });
    await server.forge.setStatus({ ...own, is: 'failure', id });
    assert.deepEqual(await states(server, repo, commit), { build: 'pending', lint: 'red' });
    await say('build', 'success');
    await say('lint', 'success');
    assert.deepEqual(await states(server, repo, commit), { build: 'green', lint: 'green' });
    const { checks } = await lookAtPull(server, repo, pull);
    assert.equal(checks.length, 2);
  });

  test(`${name} runs a workflow on a push, gives the log of a red job, and the next push is green`, async () => {
    const server = the();
    const repo = await server.newRepository();
    server.emulator?.control.setCi(async ({ read }) => {
      const isOk = (await read('ok.txt')) !== null;
      return [
        { name: 'test', conclusion: isOk ? 'success' : 'failure', log: 'there is no ok.txt\n' },
      ];
    });
    const red = await server
      .person('hall')
      .push(repo, BRANCH, { '.gitea/workflows/ci.yml': WORKFLOW, 'b.txt': 'b\n' });
    const [failed] = await done(server, repo, red);
    assert.equal(failed?.is, 'red');
    const output = failed ? await server.forge.outputOf(repo, failed) : '';
    if (server.kind === 'forgejo') assert.equal(output, '', 'its API gives no logs');
    else assert.match(output, /there is no ok\.txt/);
    const green = await server.person('hall').push(repo, BRANCH, { 'ok.txt': 'ok\n' });
    assert.deepEqual(
      (await done(server, repo, green)).map(({ is }) => is),
      ['green'],
    );
    server.emulator?.control.setCi(null);
  });

  test(`deliveries of ${name} are signed, and name the issue, the pull request and the commit`, async () => {
    const { server, repo, pull, commit } = await aPull(the);
    const webhooks = createForgeWebhooks(server.kind);
    await server.person('hall').addHook(repo, server.hooks.url, 'hush');
    const issue = await server.person('ada').openIssue(repo, { title: 'Greet' });
    const hintOf = async (isIt: (received: Received) => boolean) => {
      const { headers, raw } = await server.hooks.until(
        (received) => received.body.repository?.full_name === repo && isIt(received),
      );
      const header = (key: string) => String(headers[key] ?? '');
      const delivery = { header, body: Buffer.from(raw) };
      assert.ok(webhooks.isGenuine(delivery, ['old', 'hush']));
      assert.ok(!webhooks.isGenuine(delivery, ['old']));
      assert.ok(!webhooks.isGenuine({ header, body: Buffer.from(`${raw} `) }, ['hush']));
      return webhooks.read(delivery);
    };
    const opened = await hintOf(({ body }) => body.issue?.number === issue);
    assert.deepEqual([opened?.repo, opened?.numbers], [repo, [issue]]);
    assert.notEqual(opened?.id, '');
    await server.person('ada').review(repo, pull, 'commented', 'Hm.');
    const reviewed = await hintOf(({ body }) => body.pull_request?.number === pull);
    assert.deepEqual(reviewed?.numbers, [pull]);
    const moved = await server.person('ada').push(repo, BRANCH, { 'b.txt': 'better\n' });
    const pushed = await hintOf(({ body }) => body.after === moved && body.ref !== undefined);
    assert.ok(pushed?.commits.includes(moved) && pushed.branches.includes(BRANCH));
    if (server.kind === 'forgejo') return; // It sends none for a status; the hall polls.
    await server.person('ada').status(repo, commit, 'ci/x', 'failure');
    assert.deepEqual((await hintOf(({ body }) => body.sha === commit))?.commits, [commit]);
  });

  test(`git fetches from ${name} with the access that the hall was given`, async () => {
    const server = the();
    const repo = await server.newRepository({ isPrivate: true });
    using temp = tempFolder();
    const { url, credential } = await server.forge.gitAccess(repo, 'read');
    const address = url.replace('://', `://x-access-token:${credential}@`);
    assert.match(await gitBeside(temp.path, 'ls-remote', address), /refs\/heads\/main/);
  });
}

const WORKFLOW = `name: ci
on:
  push:
    branches: ['hall/**']
jobs:
  test:
    runs-on: host
    steps:
      - name: must have ok
        run: |
          git init -q .
          git fetch -q "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$GITHUB_SHA"
          git checkout -q FETCH_HEAD
          test -f ok.txt || { echo "there is no ok.txt"; exit 1; }
`;

async function states({ forge }: ForgeServer, repo: string, commit: string) {
  const checks = await forge.checksOf(repo, commit);
  const sorted = checks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(sorted.map((check) => [check.name, check.is]));
}

function done(
  { forge }: ForgeServer,
  repo: string,
  commit: string,
): Promise<readonly ForgeCheck[]> {
  return until(`CI of ${commit} is done`, async () => {
    const checks = await forge.checksOf(repo, commit);
    return checks.length > 0 && checks.every(({ is }) => is !== 'pending') && checks;
  });
}
