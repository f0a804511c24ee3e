import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { asWork, gitAs, gitFixture, PATH, THREAD } from '../../../test/support/git-fixture.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';

describe('a harvest', () => {
  it('a harvest takes commits and uncommitted changes', async () => {
    using fixture = gitFixture();
    const { base, git, write: put, harvest } = await fixture.begin(await fixture.mirror());
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

  it('a harvest without changes, or of commits that cancel out, is reported as nothing', async () => {
    using fixture = gitFixture();
    const { git, write: put, harvest } = await fixture.begin(await fixture.mirror());

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

  it('a harvest leaves out what was untracked after the setup, whatever its name', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { cell, git, write: put, harvest } = await fixture.begin(mirror);
    const left = ['dist/out.js', 'odd [1]*?.txt', 'back\\slash', 'line\nbreak', '#hash', ' end '];
    put(Object.fromEntries(left.map((path) => [path, 'setup\n'])));
    await mirror.excludeUntracked(cell);

    assert.equal(git('status', '--porcelain'), '');
    assert.deepEqual(await harvest({ run: 'r-1' }), { is: 'nothing' });
    put({ 'dist/out.js': 'changed\n', 'dist/own.js': '1\n', 'odd 1x.txt': '1\n' });
    const work = asWork(await harvest({ run: 'r-2' }));
    assert.deepEqual(
      work.files.map(({ path }) => path),
      ['dist/own.js', 'odd 1x.txt'],
    );
  });

  it('a harvest leaves out whole folders where the setup left too many files to list', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { cell, git, write: put, harvest } = await fixture.begin(mirror);
    const name = (n: number) => `packages/${'x'.repeat(120)}/${n}.js`;
    put(Object.fromEntries(Array.from({ length: 600 }, (_, n) => [name(n), ''])));
    put({ 'src/left.txt': 'setup\n' });
    await mirror.excludeUntracked(cell);

    assert.equal(git('status', '--porcelain'), '');
    put({ 'src/own.txt': '1\n' });
    const { files } = asWork(await harvest());
    assert.deepEqual(
      files.map(({ path }) => path),
      ['src/own.txt'],
    );
  });

  it('work over the limits or outside the scope may not be pushed', async () => {
    using fixture = gitFixture();
    const { write: put, harvest } = await fixture.begin(await fixture.mirror());
    put({ 'a.txt': '1\n2\n3\n', 'src/b.txt': '1\n', 'srcb.txt': '' });

    const bounds = { files: 2, lines: 3, bytes: 5 };
    const { findings } = asWork(await harvest({ bounds, scope: ['src/'] }));

    assert.deepEqual(findings, [
      {
        kind: 'too_large',
        path: '',
        because: '3 files are changed; at most 2 are allowed',
        blocks: true,
      },
      {
        kind: 'too_large',
        path: '',
        because: '4 lines are changed; at most 3 are allowed',
        blocks: true,
      },
      {
        kind: 'too_large',
        path: '',
        because: '8 bytes are changed; at most 5 are allowed',
        blocks: true,
      },
      ...['a.txt', 'srcb.txt'].map((path) => ({
        kind: 'outside_scope',
        path,
        because: 'the task may change only src',
        blocks: true,
      })),
    ]);
  });

  it('a harvest rewrites every commit with the identity and the trailers of the agent type', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { base, git, write: put, harvest } = await fixture.begin(mirror);
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
      gitAs(fixture.upstream, 'log', '-1', `--format=${format}`, THREAD),
      `Ada <ada@hall.test>|Ada <ada@hall.test>|${base}|Add a\n\nBecause .\n\nCo-authored-by: Guildhall <hall@hall.test>`,
    );
    assert.equal(gitAs(fixture.upstream, 'cat-file', '-t', work.commit), 'commit');
    assert.equal(gitAs(fixture.upstream, 'fsck', '--full', '--strict'), '');
  });

  it('harvested commits carry the identity and trailer of the agent and are signed with its ssh key', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const key = join(fixture.folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada', '-f', key]);
    const { write: put, harvest } = await fixture.begin(mirror);
    put({ 'a.txt': '1\n' });

    const work = asWork(await harvest({ signingKey: key }));
    await mirror.push(work, { branch: THREAD, expected: null });

    const signers = join(fixture.folder, 'signers');
    writeFileSync(signers, `ada@hall.test ${readFileSync(`${key}.pub`, 'utf8')}`);
    const allowed = ['-c', `gpg.ssh.allowedSignersFile=${signers}`];
    gitAs(fixture.upstream, ...allowed, 'verify-commit', THREAD);
    assert.equal(
      gitAs(fixture.upstream, ...allowed, 'log', '-1', '--format=%G? %GS|%an <%ae>|%b', THREAD),
      'G ada@hall.test|Ada <ada@hall.test>|Co-authored-by: Guildhall <hall@hall.test>',
    );
  });

  it('harvested commits are signed with the OpenPGP key of the agent', async (t) => {
    if (spawnSync('gpg', ['--version']).error) return t.skip('gpg is not installed');
    using keys = tempFolder();
    chmodSync(keys.path, 0o700);
    const env = { PATH, GNUPGHOME: keys.path };
    const gpg = (...args: string[]) => execFileSync('gpg', ['--batch', ...args], { env });
    gpg(...['--passphrase', '', '--quick-generate-key', 'ada@hall.test', 'ed25519', 'sign']);
    try {
      using fixture = gitFixture({ gnupgHome: keys.path });
      const mirror = await fixture.mirror();
      const { write: put, harvest } = await fixture.begin(mirror);
      put({ 'a.txt': '1\n' });

      const work = asWork(await harvest({ signingKey: 'ada@hall.test' }));
      await mirror.push(work, { branch: THREAD, expected: null });

      execFileSync('git', ['-C', fixture.upstream, 'verify-commit', THREAD], { env });
    } finally {
      execFileSync('gpgconf', ['--kill', 'all'], { env });
    }
  });

  it('a repeated harvest returns the same work until the agent changes something', async () => {
    using fixture = gitFixture();
    const { write: put, harvest } = await fixture.begin(await fixture.mirror());
    put({ 'a.txt': '1\n' });

    const first = asWork(await harvest());
    assert.deepEqual(await harvest(), first);
    put({ 'b.txt': '2\n' });
    const second = asWork(await harvest());

    assert.equal(second.commits, 2);
    assert.deepEqual(await harvest(), second);
  });

  it("a harvest keeps merges of upstream commits and counts only the agent's own changes", async () => {
    using fixture = gitFixture();
    const { git, write: put, harvest } = await fixture.begin(await fixture.mirror());
    put({ 'a.txt': '1\n' });
    git('add', '.');
    git('commit', '--quiet', '-m', 'Add a');
    const upstreamCommit = fixture.commitUpstream({
      'other.txt': 'merged\n',
      '.github/workflows/ci.yml': 'on: push\n',
    });
    const mirror = await fixture.mirror();
    git('merge', '--quiet', '--no-edit', upstreamCommit);

    const work = asWork(await harvest());
    await mirror.push(work, { branch: THREAD, expected: null });

    assert.deepEqual(
      work.files.map(({ path }) => path),
      ['a.txt'],
    );
    assert.deepEqual(work.findings, []);
    assert.equal(
      gitAs(fixture.upstream, 'log', '--format=%an', '--no-merges', `${upstreamCommit}..${THREAD}`),
      'Ada',
    );
    assert.equal(gitAs(fixture.upstream, 'log', '-1', '--format=%an', upstreamCommit), 'A Person');
  });

  it('work with unresolved conflicts or an unfinished rebase may not be pushed', async () => {
    using fixture = gitFixture();
    const { git, write: put, harvest } = await fixture.begin(await fixture.mirror());
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

  it('A60: changes to CI files, agent settings and lock files are findings', async () => {
    using fixture = gitFixture();
    const { write: put, harvest } = await fixture.begin(await fixture.mirror());
    put({
      '.github/workflows/ci.yml': 'on: push\n',
      'Docs/CODEOWNERS': '* @me\n',
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
      'sensitive_path .github/workflows/ci.yml true',
      'sensitive_path .gitmodules true',
      'sensitive_path Docs/CODEOWNERS true',
      'sensitive_path package-lock.json false',
    ]);
  });

  it('a harvest ignores the lock files of a killed git', async () => {
    using fixture = gitFixture();
    const { write, git, harvest } = await fixture.begin(await fixture.mirror());
    const locks = ['index', 'HEAD', 'config', 'packed-refs', `refs/heads/${THREAD}`];
    git('pack-refs', '--all');
    write({
      'a.txt': '1\n',
      ...Object.fromEntries(locks.map((name) => [`.git/${name}.lock`, ''])),
    });
    const { files } = asWork(await harvest());
    assert.deepEqual(
      files.map(({ path }) => path),
      ['a.txt'],
    );
  });

  it('a secret among thousands of other findings still blocks the push', async () => {
    const secret = 'correct-horse-battery-staple';
    using fixture = gitFixture({ secrets: () => [secret] });
    const { write, git, harvest } = await fixture.begin(await fixture.mirror());
    const numbers = Array.from({ length: 5_001 }, (_, n) => n);
    write(Object.fromEntries(numbers.map((n) => [`many/${n}/go.sum`, 'x\n'])));
    git('add', '.');
    git('commit', '--quiet', '-m', 'Add many');
    git('rm', '-r', '--quiet', 'many');
    write({ 'a.txt': `x = ${secret}\n` });
    const { findings } = asWork(await harvest());
    const blocking = findings
      .filter(({ blocks }) => blocks)
      .map(({ kind, path }) => `${kind} ${path}`);
    assert.deepEqual([blocking, findings.length], [['secret a.txt'], 5_000]);
  });

  it('a secret in a line, a file name or a message blocks the push, even if a later commit removed it', async () => {
    const secret = 'correct-horse-battery-staple';
    using fixture = gitFixture({ secrets: () => [secret] });
    const { git, write: put, harvest } = await fixture.begin(await fixture.mirror());
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
      'secret  a message contains a known secret true',
      'secret  its name contains a known secret true',
      'secret a.txt an added line contains a known secret true',
      'secret binary.bin an added line contains a known secret true',
    ]);
    assert.ok(!JSON.stringify(work.findings).includes(secret));
  });

  it('a harvest of a broken work tree is unusable, with the reason', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const gone = await fixture.begin(mirror);
    rmSync(join(gone.cell.paths.work, '.git'), { recursive: true });
    const orphan = await fixture.begin(mirror);
    orphan.git('checkout', '--quiet', '--orphan', 'fresh');
    orphan.git('commit', '--quiet', '-m', 'Fresh');
    const broken = await fixture.begin(mirror);
    writeFileSync(join(broken.cell.paths.work, '.git/HEAD'), 'rubbish');

    const because = 'the work tree is no longer a repository with a commit';
    assert.deepEqual(await gone.harvest({ run: 'r-1' }), { is: 'unusable', because });
    assert.deepEqual(await orphan.harvest({ run: 'r-2' }), {
      is: 'unusable',
      because: 'its history does not begin at the base commit of the task',
    });
    assert.deepEqual(await broken.harvest({ run: 'r-3' }), { is: 'unusable', because });
  });

  it('uncommitted changes that git cannot add make a harvest unusable, not empty', async () => {
    using fixture = gitFixture();
    const { write: put, harvest } = await fixture.begin(await fixture.mirror());
    put({ '.git/info/attributes': '* working-tree-encoding=UTF-16\n', 'a.txt': 'work\n' });

    const unusable = await harvest();

    assert.equal(unusable.is, 'unusable');
    assert.match(
      JSON.stringify(unusable),
      /uncommitted changes could not be committed inside the cell/,
    );
  });

  it('A31: a harvest that is too large is stopped while it streams', async () => {
    using fixture = gitFixture();
    const { cell, harvest } = await fixture.begin(await fixture.mirror());
    for (let n = 0; n < 80; n += 1) {
      writeFileSync(
        join(cell.paths.work, `n-${n}`),
        crypto.getRandomValues(new Uint8Array(65_536)),
      );
    }

    const unusable = await harvest({ bounds: { files: 1000, lines: 1000, bytes: 100_000 } });

    assert.deepEqual(unusable, {
      is: 'unusable',
      because: 'the work is larger than 4 MiB',
    });
  });

  it('A31: a harvest leaves out what is not a regular file', async () => {
    using fixture = gitFixture();
    const { cell, write: put, harvest } = await fixture.begin(await fixture.mirror());
    put({ 'a.txt': '1\n', 'closed.txt': 'x\n' });
    execFileSync('mkfifo', [join(cell.paths.work, 'pipe')]);
    chmodSync(join(cell.paths.work, 'closed.txt'), 0);

    const work = asWork(await harvest());

    assert.ok(work.files.some(({ path }) => path === 'a.txt'));
    assert.ok(!work.files.some(({ path }) => path === 'pipe'));
  });
});
