import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gitAs, gitFixture, THREAD, write } from '../../../test/support/git-fixture.ts';
import { copyIntoWorkTree } from './copy-files.ts';
import { createGitWorkspaces } from './workspaces.ts';

describe('a mirror', () => {
  it('a mirror reads the default branch, branch tips and files', async () => {
    using fixture = gitFixture();
    const tip = fixture.commitUpstream({ 'docs/a b.md': 'text\n' });
    const mirror = await fixture.mirror();

    assert.equal(mirror.defaultBranch, 'main');
    assert.equal(await mirror.tip('main'), tip);
    assert.equal(await mirror.tip('gone'), null);
    assert.equal(await mirror.read(tip, 'docs/a b.md', 100), 'text\n');
    assert.equal(await mirror.read(tip, 'docs/a b.md', 4), null);
    assert.equal(await mirror.read(tip, 'docs', 100), null);
    assert.equal(await mirror.read(tip, '*', 100), null);
    assert.equal(await mirror.read(tip, '../x', 100), null);
  });

  it('a mirror follows pushed and deleted branches of its repository', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ 'x.txt': '1\n' }, 'feature');
    assert.notEqual(await (await fixture.mirror()).tip('feature'), null);

    gitAs(fixture.upstream, 'update-ref', '-d', 'refs/heads/feature');
    const moved = fixture.commitUpstream({ 'y.txt': '1\n' }, 'feature/below');
    const mirror = await fixture.mirror();

    assert.equal(await mirror.tip('feature'), null);
    assert.equal(await mirror.tip('feature/below'), moved);
  });

  it('a mirror is updated even after the clock was set back', async () => {
    using fixture = gitFixture();
    const { objects } = await fixture.mirror();
    writeFileSync(join(objects, '..', 'hall-fetched'), String(Date.now() + 3_600_000));
    const upstreamCommit = fixture.commitUpstream({ 'x.txt': '1\n' });
    assert.equal(await (await fixture.mirror()).tip('main'), upstreamCommit);
  });

  it('workers that open a mirror at the same time share it', async () => {
    using fixture = gitFixture();
    const workers = Array.from({ length: 6 }, () => createGitWorkspaces(fixture.settings));
    const repo = { url: fixture.upstream, credential: null };

    const mirrors = await Promise.all(workers.map((each) => each.mirror(repo)));

    assert.equal(new Set(mirrors.map(({ objects }) => objects)).size, 1);
    assert.equal(new Set(await Promise.all(mirrors.map((each) => each.tip('main')))).size, 1);
  });

  it('a mirror can be made of a clone that a person works in', async () => {
    using fixture = gitFixture();
    const url = join(fixture.folder, 'own');
    gitAs(fixture.folder, 'clone', '--quiet', fixture.upstream, url);
    const mirror = await createGitWorkspaces(fixture.settings).mirror({ url, credential: null });

    assert.equal(mirror.defaultBranch, 'main');
    assert.equal(await mirror.tip('main'), gitAs(url, 'rev-parse', 'main'));
  });

  it('the mirror of a repository without a commit is refused, and the message says what to do', async () => {
    using fixture = gitFixture();
    const url = join(fixture.folder, 'empty.git');
    gitAs(fixture.folder, 'init', '--quiet', '--bare', url);
    await assert.rejects(createGitWorkspaces(fixture.settings).mirror({ url, credential: null }), {
      name: 'RepositoryFailed',
      message: `${url} has no branch to start from: push a first commit to it`,
    });
  });

  it('the mirror of a missing repository is refused with the error of git', async () => {
    using fixture = gitFixture();
    const url = join(fixture.folder, 'gone.git');
    await assert.rejects(createGitWorkspaces(fixture.settings).mirror({ url, credential: null }), {
      name: 'RepositoryFailed',
      message: new RegExp(
        `^asking ${url} for its default branch: git ls-remote failed with exit code 128: fatal: .*does not (appear to be a git repository|exist)`,
      ),
    });
  });
});

describe('a work tree', () => {
  it('each agent has its own work tree, in which git works as usual', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const one = await fixture.begin(mirror);
    const other = await fixture.begin(mirror, 'hall/bob/issue-2');
    one.write({ 'src/a.txt': 'changed\n' });

    assert.equal(one.git('branch', '--show-current'), THREAD);
    assert.equal(one.git('status', '--porcelain'), ' M src/a.txt');
    assert.equal(other.git('status', '--porcelain'), '');
    one.git('stash');
    one.git('stash', 'pop');
    one.git('checkout', '--quiet', '-b', 'aside');
    one.git('commit', '--quiet', '-am', 'Change');
    assert.match(one.git('log', '--oneline', 'main..HEAD'), /^\w+ Change$/);
    assert.match(one.git('diff', 'main', 'HEAD'), /^\+changed$/m);
    assert.equal(one.git('config', 'user.email'), 'ada@hall.test');
  });

  it('a work tree has no remote, no hooks, and only its own branch and the base', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ 'x.txt': '1\n' }, 'feature');
    fixture.commitUpstream({ 'z.txt': '1\n' }, 'main');
    const { git } = await fixture.begin(await fixture.mirror());

    assert.equal(git('remote'), '');
    assert.equal(
      git('for-each-ref', '--format=%(refname)'),
      `refs/heads/${THREAD}\nrefs/heads/main`,
    );
    assert.equal(git('config', 'core.hooksPath'), '/dev/null');
    assert.equal(git('config', 'gc.auto'), '0');
  });

  it('ignored files of the operator are copied into a work tree', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ '.gitignore': '.env\nsecrets/\n' });
    write(fixture.folder, { 'own/.env': 'A=1\n', 'own/secrets/b/c': 'x' });
    const { cell, git } = await fixture.begin(await fixture.mirror());

    const files = ['.env', 'secrets', 'gone'];
    const copied = await copyIntoWorkTree(cell, { from: join(fixture.folder, 'own'), files });

    assert.deepEqual(copied, ['.env', 'secrets/b/c']);
    assert.equal(readFileSync(join(cell.paths.work, 'secrets/b/c'), 'utf8'), 'x');
    assert.equal(git('status', '--porcelain'), '');
  });
});
