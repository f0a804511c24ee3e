import assert from 'node:assert/strict';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { asWork, gitAs, gitFixture, THREAD, write } from '../../../test/support/git-fixture.ts';

describe('a push', () => {
  it('a push moves the branch of the thread, and so does the next one', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { write: put, harvest } = await fixture.begin(mirror);
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
    assert.equal(fixture.upstreamTip(THREAD), second.commit);
    assert.equal(await mirror.tip(THREAD), second.commit);
  });

  it('a repeated push reports the same commit as pushed', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { write: put, harvest } = await fixture.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());
    const to = { branch: THREAD, expected: null };

    const answers = [await mirror.push(work, to), await mirror.push(work, to)];
    rmSync(join(fixture.root, 'runs/r-1'), { recursive: true });
    answers.push(await mirror.push(work, to));

    assert.deepEqual(answers, Array(3).fill({ is: 'pushed', commit: work.commit }));
  });

  it('a push changes nothing when the branch was moved by someone else', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { write: put, harvest, base } = await fixture.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());
    const theirs = fixture.commitUpstream({ 'theirs.txt': '1\n' }, THREAD);

    assert.deepEqual(await mirror.push(work, { branch: THREAD, expected: null }), {
      is: 'moved',
      at: theirs,
    });
    assert.deepEqual(await mirror.push(work, { branch: THREAD, expected: base }), {
      is: 'moved',
      at: theirs,
    });
    assert.equal(fixture.upstreamTip(THREAD), theirs);
    gitAs(fixture.upstream, 'update-ref', '-d', `refs/heads/${THREAD}`);
    assert.deepEqual(await mirror.push(work, { branch: THREAD, expected: base }), {
      is: 'moved',
      at: null,
    });
  });

  it('R15: a push that the repository refuses is refused with its message', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { write: put, harvest } = await fixture.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());
    const hook = join(fixture.upstream, 'hooks/update');
    write(fixture.upstream, { 'hooks/update': '#!/bin/sh\necho "the fence is stale"\nexit 1\n' });
    chmodSync(hook, 0o755);

    const refused = await mirror.push(work, { branch: THREAD, expected: null });

    assert.deepEqual(refused, {
      is: 'refused',
      because: '[remote rejected] (hook declined): the fence is stale',
    });
    assert.equal(fixture.upstreamTip(THREAD), null);
  });

  it('R15: a push to the base branch or to an invalid branch name is refused', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { write: put, harvest, base } = await fixture.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());

    for (const branch of ['main', '--all', 'x;touch pwn', 'a..b', 'HEAD']) {
      assert.equal((await mirror.push(work, { branch, expected: base })).is, 'refused', branch);
    }
    assert.equal(fixture.upstreamTip('main'), base);
  });

  it('a push that cannot reach the repository fails with the error of git', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { write: put, harvest } = await fixture.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());
    rmSync(fixture.upstream, { recursive: true });
    await assert.rejects(mirror.push(work, { branch: THREAD, expected: null }), {
      name: 'RepositoryFailed',
      message: /^pushing hall\/ada\/issue-1 to .*: git push failed with exit code 128: fatal: /,
    });
  });
});

describe('a rescue', () => {
  it('a rescue keeps work in the mirror under the name of its run', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const { write: put, harvest } = await fixture.begin(mirror);
    put({ 'a.txt': '1\n' });
    const work = asWork(await harvest());

    const name = await mirror.rescue(work);
    assert.equal(await mirror.rescue(work), name);
    await fixture.mirror();

    assert.equal(name, 'refs/hall/rescue/r-1');
    const [kept, ...more] = await mirror.rescued();
    assert.deepEqual(more, []);
    assert.equal(kept?.commit, work.commit);
    assert.equal(await mirror.read(work.commit, 'a.txt', 10), '1\n');
    assert.equal(fixture.upstreamTip(THREAD), null);
    assert.ok(existsSync(mirror.objects));
  });
});
