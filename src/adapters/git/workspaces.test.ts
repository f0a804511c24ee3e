import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asWork, gitAs, gitScene, THREAD } from '../../../test/support/git-scene.ts';

describe('the work of an agent', () => {
  it('GH-024: goes from the mirror into a work tree of its own, and back to the branch of its thread', async () => {
    using scene = gitScene();
    const mirror = await scene.mirror();
    const { cell, base, git, write, harvest } = await scene.begin(mirror);
    write({ 'src/a.txt': 'one\n2\n' });
    git('commit', '--quiet', '-am', 'Say two as a number');
    write({ 'src/b.txt': 'left over\n' });

    const work = asWork(await harvest());
    const pushed = await mirror.push(work, { branch: THREAD, expected: null });

    assert.equal(mirror.defaultBranch, 'main');
    assert.deepEqual(work.files, [
      { path: 'src/a.txt', change: 'changed', added: 1, removed: 1 },
      { path: 'src/b.txt', change: 'added', added: 1, removed: 0 },
    ]);
    assert.deepEqual(work.findings, []);
    assert.deepEqual(pushed, { is: 'pushed', commit: work.commit });
    assert.equal(scene.upstreamTip(THREAD), work.commit);
    assert.equal(
      gitAs(scene.upstream, 'log', '--format=%s', `${base}..${THREAD}`),
      'Take in what was left\nSay two as a number',
    );
    assert.equal(await mirror.tip(THREAD), work.commit);
    await cell[Symbol.asyncDispose]();
  });
});
