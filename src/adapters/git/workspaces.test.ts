import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { asWork, gitAs, gitScene, THREAD, write } from '../../../test/support/git-scene.ts';
import { copyIntoWork } from './copy-files.ts';
import { createGitWorkspaces } from './workspaces.ts';

describe('a mirror', () => {
  it('knows the default branch, where branches are and what files say', async () => {
    using scene = gitScene();
    const tip = scene.land({ 'docs/a b.md': 'text\n' });
    const mirror = await scene.mirror();

    assert.equal(mirror.defaultBranch, 'main');
    assert.equal(await mirror.tip('main'), tip);
    assert.equal(await mirror.tip('gone'), null);
    assert.equal(await mirror.read(tip, 'docs/a b.md', 100), 'text\n');
    assert.equal(await mirror.read(tip, 'docs/a b.md', 4), null);
    assert.equal(await mirror.read(tip, 'docs', 100), null);
    assert.equal(await mirror.read(tip, '*', 100), null);
    assert.equal(await mirror.read(tip, '../x', 100).catch(() => null), null);
  });

  it('follows what is pushed, moved and deleted in the repository', async () => {
    using scene = gitScene();
    scene.land({ 'x.txt': '1\n' }, 'feature');
    assert.notEqual(await (await scene.mirror()).tip('feature'), null);

    gitAs(scene.upstream, 'update-ref', '-d', 'refs/heads/feature');
    const moved = scene.land({ 'y.txt': '1\n' }, 'feature/below');
    const mirror = await scene.mirror();

    assert.equal(await mirror.tip('feature'), null);
    assert.equal(await mirror.tip('feature/below'), moved);
  });

  it('is one for several workers that ask at once', async () => {
    using scene = gitScene();
    const workers = Array.from({ length: 6 }, () => createGitWorkspaces(scene.settings));
    const repo = { url: scene.upstream, credential: null };

    const mirrors = await Promise.all(workers.map((each) => each.mirror(repo)));

    assert.equal(new Set(mirrors.map(({ objects }) => objects)).size, 1);
    assert.equal(new Set(await Promise.all(mirrors.map((each) => each.tip('main')))).size, 1);
  });

  it('can be of a clone that a person works in', async () => {
    using scene = gitScene();
    const url = join(scene.folder, 'own');
    gitAs(scene.folder, 'clone', '--quiet', scene.upstream, url);
    const mirror = await createGitWorkspaces(scene.settings).mirror({ url, credential: null });

    assert.equal(mirror.defaultBranch, 'main');
    assert.equal(await mirror.tip('main'), gitAs(url, 'rev-parse', 'main'));
  });

  it('of a repository without a commit says what to do', async () => {
    using scene = gitScene();
    const url = join(scene.folder, 'empty.git');
    gitAs(scene.folder, 'init', '--quiet', '--bare', url);
    await assert.rejects(createGitWorkspaces(scene.settings).mirror({ url, credential: null }), {
      name: 'RepositoryFailed',
      message: `${url} has no branch to start from: push a first commit to it`,
    });
  });

  it('of a repository that is not there says what was tried and what git said', async () => {
    using scene = gitScene();
    const url = join(scene.folder, 'gone.git');
    await assert.rejects(createGitWorkspaces(scene.settings).mirror({ url, credential: null }), {
      name: 'RepositoryFailed',
      message: new RegExp(
        `^asking ${url} for its default branch: git ls-remote failed with exit code 128: fatal: .*does not (appear to be a git repository|exist)`,
      ),
    });
  });
});

describe('a work tree', () => {
  it('GH-024: is one of its own, in which an agent uses git as usual', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const one = await scene.begin(mirror);
    const other = await scene.begin(mirror, 'hall/bob/issue-2');
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

  it('has no remote, no hook and no branch but its own and the base', async () => {
    using scene = gitScene();
    scene.land({ 'x.txt': '1\n' }, 'feature');
    scene.land({ 'z.txt': '1\n' }, 'main');
    const { git } = await scene.begin(await scene.mirror());

    assert.equal(git('remote'), '');
    assert.equal(
      git('for-each-ref', '--format=%(refname)'),
      `refs/heads/${THREAD}\nrefs/heads/main`,
    );
    assert.equal(git('config', 'core.hooksPath'), '/dev/null');
    assert.equal(git('config', 'gc.auto'), '0');
  });

  it('gets ignored files of the operator before the agent starts', async () => {
    using scene = gitScene();
    scene.land({ '.gitignore': '.env\nsecrets/\n' });
    write(scene.folder, { 'own/.env': 'A=1\n', 'own/secrets/b/c': 'x' });
    const { cell, git } = await scene.begin(await scene.mirror());

    const files = ['.env', 'secrets', 'gone'];
    const copied = await copyIntoWork(cell, { from: join(scene.folder, 'own'), files });

    assert.deepEqual(copied, ['.env', 'secrets/b/c']);
    assert.equal(readFileSync(join(cell.paths.work, 'secrets/b/c'), 'utf8'), 'x');
    assert.equal(git('status', '--porcelain'), '');
  });
});

describe('a harvest', () => {
  it('takes over commits and what was left uncommitted', async () => {
    using scene = gitScene();
    const { base, git, write: put, harvest } = await scene.begin(await scene.mirror());
    put({ 'src/a.txt': 'one\n2\n' });
    git('commit', '--quiet', '-am', 'Say two as a number');
    put({ 'src/b.txt': 'left over\n' });
    git('rm', '--quiet', 'readme.md');

    const work = asWork(await harvest());

    assert.deepEqual(work.files, [
      { path: 'readme.md', change: 'deleted', added: 0, removed: 1 },
      { path: 'src/a.txt', change: 'changed', added: 1, removed: 1 },
      { path: 'src/b.txt', change: 'added', added: 1, removed: 0 },
    ]);
    assert.deepEqual(work.findings, []);
    assert.equal(work.commits, 2);
    assert.equal(work.base, base);
  });

  it('X-017: of no change, and of commits that change nothing, is nothing', async () => {
    using scene = gitScene();
    const { git, write: put, harvest } = await scene.begin(await scene.mirror());

    assert.deepEqual(await harvest({ run: 'r-1' }), { is: 'nothing' });
    git('commit', '--quiet', '--allow-empty', '-m', 'Nothing');
    assert.deepEqual(await harvest({ run: 'r-2' }), { is: 'nothing' });
    put({ 'x.txt': '1\n' });
    git('add', '.');
    git('commit', '--quiet', '-m', 'Do');
    git('rm', '--quiet', 'x.txt');
    git('commit', '--quiet', '-m', 'Undo');
    assert.deepEqual(await harvest({ run: 'r-3' }), { is: 'nothing' });
  });

  it('X-017: over the limits, or outside the scope, is work that may not leave', async () => {
    using scene = gitScene();
    const { write: put, harvest } = await scene.begin(await scene.mirror());
    put({ 'a.txt': '1\n2\n3\n', 'src/b.txt': '1\n', 'srcb.txt': '' });

    const bounds = { files: 2, lines: 3, bytes: 5 };
    const { findings } = asWork(await harvest({ bounds, scope: ['src/'] }));

    assert.deepEqual(findings, [
      { kind: 'too_large', path: '', because: '3 files are changed, 2 are allowed', blocks: true },
      { kind: 'too_large', path: '', because: '4 lines are changed, 3 are allowed', blocks: true },
      { kind: 'too_large', path: '', because: '8 bytes are changed, 5 are allowed', blocks: true },
      ...['a.txt', 'srcb.txt'].map((path) => ({
        kind: 'outside_scope',
        path,
        because: 'the work may touch src',
        blocks: true,
      })),
    ]);
  });

  it('HA-074: has every commit made anew, by the identity of the type and with its trailers', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { base, git, write: put, harvest } = await scene.begin(mirror);
    git('config', 'user.name', 'Linus');
    put({ 'a.txt': '1\n' });
    git('add', '.');
    const message =
      'Add \u202Ea\u0007\n\nBecause [skip ci].\n\nSigned-off-by: The Boss <boss@hall.test>';
    git('commit', '--quiet', '-m', message, '--author=The Boss <boss@hall.test>');

    const work = asWork(await harvest());
    await mirror.push(work, { branch: THREAD, expected: null });

    const format = '%an <%ae>|%cn <%ce>|%P|%B';
    assert.equal(
      gitAs(scene.upstream, 'log', '-1', `--format=${format}`, THREAD),
      `Ada <ada@hall.test>|Ada <ada@hall.test>|${base}|Add a\n\nBecause .\n\nCo-authored-by: Guildhall <hall@hall.test>`,
    );
    assert.equal(gitAs(scene.upstream, 'cat-file', '-t', work.commit), 'commit');
    assert.equal(gitAs(scene.upstream, 'fsck', '--full', '--strict'), '');
  });

  it('HA-074: is signed where the type has a key', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const key = join(scene.folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada', '-f', key]);
    const { write: put, harvest } = await scene.begin(mirror);
    put({ 'a.txt': '1\n' });

    const work = asWork(await harvest({ signingKey: key }));
    await mirror.push(work, { branch: THREAD, expected: null });

    const signers = join(scene.folder, 'signers');
    writeFileSync(signers, `ada@hall.test ${readFileSync(`${key}.pub`, 'utf8')}`);
    const allowed = ['-c', `gpg.ssh.allowedSignersFile=${signers}`];
    assert.equal(
      gitAs(scene.upstream, ...allowed, 'log', '-1', '--format=%G? %GS', THREAD),
      'G ada@hall.test',
    );
  });

  it('asked for twice is the same, also when the agent went on in between', async () => {
    using scene = gitScene();
    const { write: put, harvest } = await scene.begin(await scene.mirror());
    put({ 'a.txt': '1\n' });

    const first = asWork(await harvest());
    assert.deepEqual(await harvest(), first);
    put({ 'b.txt': '2\n' });
    const second = asWork(await harvest());

    assert.equal(second.commits, 2);
    assert.deepEqual(await harvest(), second);
  });

  it('keeps merges of what others landed, and counts only what is the work of the agent', async () => {
    using scene = gitScene();
    const { git, write: put, harvest } = await scene.begin(await scene.mirror());
    put({ 'a.txt': '1\n' });
    git('add', '.');
    git('commit', '--quiet', '-m', 'Add a');
    const landed = scene.land({
      'other.txt': 'landed\n',
      '.github/workflows/ci.yml': 'on: push\n',
    });
    const mirror = await scene.mirror();
    git('merge', '--quiet', '--no-edit', landed);

    const work = asWork(await harvest());
    await mirror.push(work, { branch: THREAD, expected: null });

    assert.deepEqual(
      work.files.map(({ path }) => path),
      ['a.txt'],
    );
    assert.deepEqual(work.findings, []);
    assert.equal(
      gitAs(scene.upstream, 'log', '--format=%an', '--no-merges', `${landed}..${THREAD}`),
      'Ada',
    );
    assert.equal(gitAs(scene.upstream, 'log', '-1', '--format=%an', landed), 'A Person');
  });

  it('of conflicts that were left, or a rebase that was stopped, is not for leaving', async () => {
    using scene = gitScene();
    const { git, write: put, harvest } = await scene.begin(await scene.mirror());
    put({ 'src/a.txt': 'mine\n' });
    git('commit', '--quiet', '-am', 'Mine');
    git('checkout', '--quiet', '-b', 'aside', 'main');
    put({ 'src/a.txt': 'theirs\n' });
    git('commit', '--quiet', '-am', 'Theirs');
    assert.throws(() => git('rebase', THREAD));

    const { findings } = asWork(await harvest());

    assert.deepEqual(
      findings.map(({ kind, because, blocks }) => [kind, because, blocks]),
      [
        ['unfinished', 'conflicts were left unresolved', true],
        ['unfinished', 'the agent stopped in the middle of a rebase', true],
      ],
    );
  });

  it('A60: of files that decide what runs is for a person to see', async () => {
    using scene = gitScene();
    const { write: put, harvest } = await scene.begin(await scene.mirror());
    put({
      '.github/workflows/ci.yml': 'on: push\n',
      '.GitHub/CODEOWNERS': '* @me\n',
      '.claude/settings.json': '{}\n',
      'sub/CLAUDE.md': 'Do as I say\n',
      '.mcp.json': '{}\n',
      'package-lock.json': '{}\n',
      '.gitmodules': '',
    });

    const { findings } = asWork(await harvest());

    assert.deepEqual(findings.map(({ kind, path, blocks }) => `${kind} ${path} ${blocks}`).sort(), [
      'agent_settings .claude/settings.json true',
      'agent_settings .mcp.json true',
      'agent_settings sub/CLAUDE.md true',
      'sensitive_path .GitHub/CODEOWNERS true',
      'sensitive_path .github/workflows/ci.yml true',
      'sensitive_path .gitmodules true',
      'sensitive_path package-lock.json false',
    ]);
  });

  it('X-018: with a secret in a line, a name or a message, also a removed one, is not for leaving', async () => {
    const secret = 'correct-horse-battery-staple';
    using scene = gitScene({ secrets: () => [secret] });
    const { git, write: put, harvest } = await scene.begin(await scene.mirror());
    put({ 'a.txt': `x = ${secret}\n`, 'binary.bin': `\0\0${secret}` });
    git('add', '.');
    git('commit', '--quiet', '-m', 'Add');
    git('rm', '--quiet', 'a.txt', 'binary.bin');
    git('commit', '--quiet', '-m', `Remove ${secret}`);
    put({ [`${secret}.txt`]: 'x\n' });

    const work = asWork(await harvest());

    const shown = work.findings.map(
      ({ kind, path, because, blocks }) => `${kind} ${path} ${because} ${blocks}`,
    );
    assert.deepEqual(shown.sort(), [
      'secret  a message holds a value that is kept secret here true',
      'secret  its name holds a value that is kept secret here true',
      'secret a.txt an added line holds a value that is kept secret here true',
      'secret binary.bin an added line holds a value that is kept secret here true',
    ]);
    assert.ok(!JSON.stringify(work.findings).includes(secret));
  });

  it('of a work tree that is broken is spoilt, with the reason', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const gone = await scene.begin(mirror);
    rmSync(join(gone.cell.paths.work, '.git'), { recursive: true });
    const orphan = await scene.begin(mirror);
    orphan.git('checkout', '--quiet', '--orphan', 'fresh');
    orphan.git('commit', '--quiet', '-m', 'Fresh');
    const broken = await scene.begin(mirror);
    writeFileSync(join(broken.cell.paths.work, '.git/HEAD'), 'rubbish');

    const because = 'the work tree is not a repository with a commit any more';
    assert.deepEqual(await gone.harvest({ run: 'r-1' }), { is: 'spoilt', because });
    assert.deepEqual(await orphan.harvest({ run: 'r-2' }), {
      is: 'spoilt',
      because: 'its history does not begin where the work began',
    });
    assert.deepEqual(await broken.harvest({ run: 'r-3' }), { is: 'spoilt', because });
  });

  it('of leftovers that git cannot take in is spoilt and not nothing', async () => {
    using scene = gitScene();
    const { write: put, harvest } = await scene.begin(await scene.mirror());
    put({ '.git/info/attributes': '* working-tree-encoding=UTF-16\n', 'a.txt': 'work\n' });

    const spoilt = await harvest();

    assert.equal(spoilt.is, 'spoilt');
    assert.match(
      JSON.stringify(spoilt),
      /what was left over could not be committed inside the cell/,
    );
  });

  it('A31: larger than allowed is ended while it streams', async () => {
    using scene = gitScene();
    const { cell, harvest } = await scene.begin(await scene.mirror());
    for (let n = 0; n < 80; n += 1) {
      writeFileSync(
        join(cell.paths.work, `n-${n}`),
        crypto.getRandomValues(new Uint8Array(65_536)),
      );
    }

    const spoilt = await harvest({ bounds: { files: 1000, lines: 1000, bytes: 100_000 } });

    assert.deepEqual(spoilt, {
      is: 'spoilt',
      because: 'what the agent made is larger than 4294304 bytes',
    });
  });

  it('A31: leaves out what is no file, and says that something could not be taken in', async () => {
    using scene = gitScene();
    const { cell, write: put, harvest } = await scene.begin(await scene.mirror());
    put({ 'a.txt': '1\n', 'closed.txt': 'x\n' });
    execFileSync('mkfifo', [join(cell.paths.work, 'pipe')]);
    chmodSync(join(cell.paths.work, 'closed.txt'), 0);

    const work = asWork(await harvest());

    assert.ok(work.files.some(({ path }) => path === 'a.txt'));
    assert.ok(!work.files.some(({ path }) => path === 'pipe'));
  });
});

describe('a push', () => {
  it('moves the branch of the thread, and again when it is where it was', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { write: put, harvest } = await scene.begin(mirror);
    put({ 'a.txt': '1\n' });
    const first = asWork(await harvest());
    assert.deepEqual(await mirror.push(first, { branch: THREAD, expected: null }), {
      is: 'pushed',
      commit: first.commit,
    });
    put({ 'b.txt': '1\n' });
    const second = asWork(await harvest());

    const pushed = await mirror.push(second, { branch: THREAD, expected: first.commit });

    assert.deepEqual(pushed, { is: 'pushed', commit: second.commit });
    assert.equal(scene.upstreamTip(THREAD), second.commit);
    assert.equal(await mirror.tip(THREAD), second.commit);
  });

  it('repeated says that it is there', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { write: put, harvest } = await scene.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());
    const to = { branch: THREAD, expected: null };

    const answers = [await mirror.push(work, to), await mirror.push(work, to)];
    rmSync(join(scene.root, 'runs/r-1'), { recursive: true });
    answers.push(await mirror.push(work, to));

    assert.deepEqual(answers, Array(3).fill({ is: 'pushed', commit: work.commit }));
  });

  it('X-015: changes nothing when somebody else moved the branch', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { write: put, harvest, base } = await scene.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());
    const theirs = scene.land({ 'theirs.txt': '1\n' }, THREAD);

    assert.deepEqual(await mirror.push(work, { branch: THREAD, expected: null }), {
      is: 'moved',
      at: theirs,
    });
    assert.deepEqual(await mirror.push(work, { branch: THREAD, expected: base }), {
      is: 'moved',
      at: theirs,
    });
    assert.equal(scene.upstreamTip(THREAD), theirs);
    gitAs(scene.upstream, 'update-ref', '-d', `refs/heads/${THREAD}`);
    assert.deepEqual(await mirror.push(work, { branch: THREAD, expected: base }), {
      is: 'moved',
      at: null,
    });
  });

  it('R15: that the repository refuses says what it said, and is no success', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { write: put, harvest } = await scene.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());
    const hook = join(scene.upstream, 'hooks/update');
    write(scene.upstream, { 'hooks/update': '#!/bin/sh\necho "the fence is stale"\nexit 1\n' });
    chmodSync(hook, 0o755);

    const refused = await mirror.push(work, { branch: THREAD, expected: null });

    assert.deepEqual(refused, {
      is: 'refused',
      because: '[remote rejected] (hook declined): the fence is stale',
    });
    assert.equal(scene.upstreamTip(THREAD), null);
  });

  it('R15: never goes to the branch that work lands in, nor to a name outside the grammar', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { write: put, harvest, base } = await scene.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());

    for (const branch of ['main', '--all', 'x;touch pwn', 'a..b', 'HEAD']) {
      assert.equal((await mirror.push(work, { branch, expected: base })).is, 'refused', branch);
    }
    assert.equal(scene.upstreamTip('main'), base);
  });

  it('that cannot reach the repository is a fault', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { write: put, harvest } = await scene.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());
    rmSync(scene.upstream, { recursive: true });
    await assert.rejects(mirror.push(work, { branch: THREAD, expected: null }), {
      name: 'RepositoryFailed',
      message: /^pushing hall\/ada\/issue-1 to .*: git push failed with exit code 128: fatal: /,
    });
  });
});

describe('a rescue', () => {
  it('keeps work in the mirror under the name of its run', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { write: put, harvest } = await scene.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());

    const name = await mirror.rescue(work);
    assert.equal(await mirror.rescue(work), name);
    await scene.mirror();

    assert.equal(name, 'refs/hall/rescue/r-1');
    const [kept, ...more] = await mirror.rescued();
    assert.deepEqual(more, []);
    assert.equal(kept?.commit, work.commit);
    assert.equal(await mirror.read(work.commit, 'a.txt', 10), '1\n');
    assert.equal(scene.upstreamTip(THREAD), null);
    assert.ok(existsSync(mirror.objects));
  });
});
