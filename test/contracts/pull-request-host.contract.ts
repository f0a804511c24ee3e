import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Merged, Pull, PullRequestHost } from '../../src/ports/pull-request-host.ts';
import { until } from '../support/hall-fixture.ts';

/** A repository with `a.txt` on `main`, and who merges its pull requests. */
export interface HostedRepository extends AsyncDisposable {
  readonly host: PullRequestHost;
  readonly repo: string;
  /** Commits files to a branch; the commit. */
  push(branch: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** The number under which the branch is merged. */
  openPull(branch: string): Promise<number>;
}

const BRANCH = 'hall/dev/issue-1';

/** What the hall relies on when it merges, in a folder as on a forge. */
export function pullRequestHostContract(name: string, open: () => Promise<HostedRepository>): void {
  test(`pull requests of ${name}: a merge is made once, and a second try finds it`, async () => {
    await using shop = await open();
    const pull = await aPull(shop, { 'b.txt': 'b\n' });
    const before = await shop.host.tips(pull);
    assert.equal(before.branch, pull.commit);
    assert.equal((await merge(shop, pull)).is, 'merged');
    const { base } = await shop.host.tips(pull);
    assert.notEqual(base, before.base);
    assert.equal((await merge(shop, pull)).is, 'merged');
    assert.equal((await shop.host.tips(pull)).base, base, 'nothing was merged twice');
  });

  test(`pull requests of ${name}: a branch that has moved is not merged`, async () => {
    await using shop = await open();
    const pull = await aPull(shop, { 'b.txt': 'b\n' });
    const moved = await shop.push(BRANCH, { 'b.txt': 'better\n' });
    const { base } = await shop.host.tips(pull);
    assert.deepEqual(await merge(shop, pull), { is: 'moved' });
    assert.deepEqual(await shop.host.tips(pull), { branch: moved, base });
  });

  test(`pull requests of ${name}: a conflict is told with its files, and merged after a rebase`, async () => {
    await using shop = await open();
    const pull = await aPull(shop, { 'a.txt': 'mine\n' });
    const onto = await shop.push('main', { 'a.txt': 'theirs\n' });
    assert.deepEqual(await merge(shop, pull), { is: 'conflict', files: ['a.txt'] });
    assert.deepEqual(await shop.host.update(pull, onto), { is: 'conflict', files: ['a.txt'] });
  });

  test(`pull requests of ${name}: the hall rebases a branch onto its base, and merges it there`, async () => {
    await using shop = await open();
    const pull = await aPull(shop, { 'b.txt': 'b\n' });
    const onto = await shop.push('main', { 'c.txt': 'c\n' });
    const updated = await shop.host.update(pull, onto);
    assert.equal(updated.is, 'updated');
    const commit = updated.is === 'updated' ? updated.commit : '';
    assert.deepEqual(await shop.host.tips(pull), { branch: commit, base: onto });
    assert.equal((await merge(shop, { ...pull, commit })).is, 'merged');
  });
}

async function aPull(
  shop: HostedRepository,
  files: Readonly<Record<string, string>>,
): Promise<Pull> {
  const commit = await shop.push(BRANCH, files);
  const number = await shop.openPull(BRANCH);
  return {
    ...{ repo: shop.repo, name: 'th-1', title: 'Add b', description: '', number, branch: BRANCH },
    ...{ commit, base: null, mergeMethod: 'merge', who: { name: 'Hall', email: 'hall@hall.test' } },
    ...{ checks: [], setup: [], env: {}, isolation: null },
    limits: { cpus: null, memoryBytes: null, pids: null },
  };
}

function merge({ host }: HostedRepository, pull: Pull): Promise<Merged> {
  return until('the forge knows whether it can be merged', async () => {
    const answer = await host.merge(pull);
    return answer.is !== 'not_yet' && answer;
  });
}
