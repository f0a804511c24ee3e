import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ADA, gitAs, gitFixture } from '../../../test/support/git-fixture.ts';
import { createGitWorkspaces } from './workspaces.ts';

const MAKER = { who: ADA, signingKey: null } as const;

describe('a merge without a work tree', () => {
  it('a branch is merged only once', async () => {
    using fixture = gitFixture();
    const commit = fixture.commitUpstream({ 'a.txt': '1\n' }, 'topic');
    const expected = fixture.commitUpstream({ 'b.txt': '1\n' });
    const mirror = await fixture.mirror();
    const plan = {
      ...MAKER,
      commit,
      into: 'main',
      expected,
      how: 'merge',
      message: 'Merge topic',
    } as const;

    const update = await mirror.merge(plan);
    const again = await (await fixture.mirror()).merge({
      ...plan,
      expected: fixture.upstreamTip('main') ?? '',
    });

    assert.deepEqual(update, { is: 'pushed', commit: fixture.upstreamTip('main') });
    assert.deepEqual(again, update);
    assert.equal(
      gitAs(fixture.upstream, 'log', '-1', '--format=%P|%an|%s', 'main'),
      `${expected} ${commit}|Ada|Merge topic`,
    );
    assert.equal(
      gitAs(fixture.upstream, 'ls-tree', '--name-only', '-r', 'main'),
      'a.txt\nb.txt\nreadme.md\nsrc/a.txt',
    );
  });

  it('a branch is squashed into one commit', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ 'a.txt': '1\n' }, 'topic');
    const commit = fixture.commitUpstream({ 'a.txt': '2\n' }, 'topic');
    const mirror = await fixture.mirror();
    const expected = (await mirror.tip('main')) ?? '';
    const plan = {
      ...MAKER,
      commit,
      into: 'main',
      expected,
      how: 'squash',
      message: 'Topic',
    } as const;

    const update = await mirror.merge(plan);

    assert.equal(
      gitAs(fixture.upstream, 'log', '-1', '--format=%P|%an|%cn|%s', 'main'),
      `${expected}|A Person|Ada|Topic`,
    );
    const again = await mirror.merge({ ...plan, expected: fixture.upstreamTip('main') ?? '' });
    assert.deepEqual(again, update);
  });

  it('a branch is rebased onto the branch it is merged into, whose history stays a line', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ 'a.txt': '1\n' }, 'topic');
    const commit = fixture.commitUpstream({ 'a.txt': '2\n' }, 'topic');
    const expected = fixture.commitUpstream({ 'b.txt': '1\n' });
    const mirror = await fixture.mirror();
    const plan = { ...MAKER, commit, into: 'main', expected, how: 'rebase', message: 'm' } as const;

    const update = await mirror.merge(plan);

    assert.deepEqual(update, { is: 'pushed', commit: fixture.upstreamTip('main') });
    assert.equal(
      gitAs(fixture.upstream, 'log', '--format=%s|%an', `${expected}..main`),
      'Change a.txt|A Person\nChange a.txt|A Person',
    );
    assert.equal(gitAs(fixture.upstream, 'rev-list', '--merges', 'main'), '');
    assert.equal(fixture.upstreamTip('topic'), commit, 'the branch itself stays');
    const again = await mirror.merge({ ...plan, expected: fixture.upstreamTip('main') ?? '' });
    assert.deepEqual(again, update);
  });

  it('a branch on the newest commit is merged by rebase as it is', async () => {
    using fixture = gitFixture();
    const commit = fixture.commitUpstream({ 'a.txt': '1\n' }, 'topic');
    const mirror = await fixture.mirror();
    const expected = (await mirror.tip('main')) ?? '';
    const plan = { ...MAKER, commit, into: 'main', expected, how: 'rebase', message: 'm' } as const;
    assert.deepEqual(await mirror.merge(plan), { is: 'pushed', commit });
    assert.equal(fixture.upstreamTip('main'), commit);
  });

  it('the merge base of a branch is where it left its base', async () => {
    using fixture = gitFixture();
    const commit = fixture.commitUpstream({ 'a.txt': '1\n' }, 'topic');
    const start = fixture.upstreamTip('main');
    const tip = fixture.commitUpstream({ 'b.txt': '1\n' });
    const mirror = await fixture.mirror();
    assert.equal(await mirror.mergeBase(tip, commit), start);
    assert.equal(await mirror.haveSameFiles(tip, commit), false);
    assert.equal(await mirror.haveSameFiles(commit, commit), true);
  });

  it('a merge with conflicts names the files and changes nothing', async () => {
    using fixture = gitFixture();
    const commit = fixture.commitUpstream({ 'src/a.txt': 'mine\n' }, 'topic');
    const expected = fixture.commitUpstream({ 'src/a.txt': 'theirs\n' });
    const mirror = await fixture.mirror();
    const plan = { ...MAKER, commit, into: 'main', expected, how: 'merge', message: 'm' } as const;

    assert.deepEqual(await mirror.merge(plan), { is: 'conflict', files: ['src/a.txt'] });
    assert.deepEqual(await mirror.conflicts(commit, expected), ['src/a.txt']);
    assert.deepEqual(await mirror.conflicts(commit, commit), []);
    assert.equal(fixture.upstreamTip('main'), expected);
  });

  it('a merge into a branch that moved meanwhile changes nothing', async () => {
    using fixture = gitFixture();
    const commit = fixture.commitUpstream({ 'a.txt': '1\n' }, 'topic');
    const mirror = await fixture.mirror();
    const expected = (await mirror.tip('main')) ?? '';
    const at = fixture.commitUpstream({ 'b.txt': '1\n' });

    const plan = { ...MAKER, commit, into: 'main', expected, how: 'merge', message: 'm' } as const;
    assert.deepEqual(await mirror.merge(plan), { is: 'moved', at });
    assert.equal(fixture.upstreamTip('main'), at);
  });

  it('a merge into a checked-out branch is refused with advice', async () => {
    using fixture = gitFixture();
    const url = `${fixture.folder}/own`;
    gitAs(fixture.folder, 'clone', '--quiet', fixture.upstream, url);
    gitAs(url, 'checkout', '--quiet', '-b', 'topic');
    gitAs(url, 'rm', '--quiet', 'src/a.txt');
    gitAs(url, 'commit', '--quiet', '-m', 'Remove');
    const commit = gitAs(url, 'rev-parse', 'topic');
    const expected = gitAs(url, 'rev-parse', 'main');
    gitAs(url, 'checkout', '--quiet', 'main');
    const mirror = await createGitWorkspaces(fixture.settings).mirror({ url, credential: null });

    const plan = { ...MAKER, commit, into: 'main', expected, how: 'merge', message: 'm' } as const;
    const refused = await mirror.merge(plan);
    assert.deepEqual(refused, {
      is: 'refused',
      because:
        '[remote rejected] (branch is currently checked out): check out another branch there, or use a bare clone',
    });
  });
});

describe('a rebase without a work tree', () => {
  it('a rebase moves the commits onto the base and keeps their authors', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ 'a.txt': '1\n' }, 'topic');
    const expected = fixture.commitUpstream({ 'a.txt': '1\n2\n' }, 'topic');
    const onto = fixture.commitUpstream({ 'b.txt': '1\n' });
    const mirror = await fixture.mirror();

    const update = await mirror.rebase({ ...MAKER, branch: 'topic', expected, onto });
    const again = await mirror.rebase({
      ...MAKER,
      branch: 'topic',
      expected: fixture.upstreamTip('topic') ?? '',
      onto,
    });

    assert.deepEqual(update, { is: 'pushed', commit: fixture.upstreamTip('topic') });
    assert.deepEqual(again, update);
    assert.equal(
      gitAs(fixture.upstream, 'log', '--format=%an|%cn', `${onto}..topic`),
      'A Person|Ada\nA Person|Ada',
    );
    assert.equal(gitAs(fixture.upstream, 'show', 'topic:a.txt'), '1\n2');
    assert.equal(gitAs(fixture.upstream, 'show', 'topic:b.txt'), '1');
  });

  it('a rebase with conflicts leaves the branch alone', async () => {
    using fixture = gitFixture();
    const expected = fixture.commitUpstream({ 'src/a.txt': 'mine\n' }, 'topic');
    const onto = fixture.commitUpstream({ 'src/a.txt': 'theirs\n' });
    const mirror = await fixture.mirror();

    const rebased = await mirror.rebase({ ...MAKER, branch: 'topic', expected, onto });

    assert.deepEqual(rebased, { is: 'conflict', files: ['src/a.txt'] });
    assert.equal(fixture.upstreamTip('topic'), expected);
  });
});

describe('the texts for a review', () => {
  it('log and diff show what a branch changed since it forked, truncated to a maximum length', async () => {
    using fixture = gitFixture();
    const to = fixture.commitUpstream({ 'a.txt': 'added by topic\n' }, 'topic');
    const from = fixture.commitUpstream({ 'b.txt': 'merged\n' });
    const mirror = await fixture.mirror();

    assert.match(await mirror.log(from, to, 1000), /^\w+ A Person: Change a\.txt/);
    const diff = await mirror.diff(from, to, 1000);
    assert.match(diff, /^\+added by topic$/m);
    assert.ok(!diff.includes('merged'));
    const cut = await mirror.diff(from, to, 120);
    assert.equal(cut.length, 120);
    assert.match(cut, /… truncated; \d+ more characters$/);
  });
});
