import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gitFixture } from '../../../test/support/git-fixture.ts';
import { SourceUnavailable } from '../../ports/task-source.ts';
import { createFileSource } from './repository-files.ts';

const SPECS = { kind: 'spec-files', folder: 'specs', base: null } as const;

/** What the specifications are after a commit. */
async function reading(files: Readonly<Record<string, string>>) {
  using fixture = gitFixture();
  fixture.commitUpstream(files);
  const source = createFileSource({ ...SPECS, mirror: () => fixture.mirror() });
  const found = await source.read(null);
  assert.notEqual(found, 'unchanged');
  if (found === 'unchanged') return assert.fail();
  assert.equal(await source.read(found.position), 'unchanged');
  const problems = found.problems.map(({ file, line, because }) => `${file}:${line}: ${because}`);
  return { ids: found.items.map(({ id }) => id), problems, isComplete: found.isComplete };
}

describe('files of a repository as a source', () => {
  it('specifications depend on each other by file; a missing, unready or circular one is refused', async () => {
    const found = await reading({
      'specs/a.md': '---\ndepends_on: b.md\n---\n# A\n\nText.\n',
      'specs/b.md': '# B\n\nText.\n',
      'specs/c.md': '---\ndepends_on: gone\n---\n# C\n\nText.\n',
      'specs/d.md': '---\ndepends_on: draft\n---\n# D\n\nText.\n',
      'specs/draft.md': '---\nstatus: draft\n---\n# E\n\nText.\n',
      'specs/x.md': '---\ndepends_on: y\n---\n# X\n\nText.\n',
      'specs/y.md': '---\ndepends_on: x\n---\n# Y\n\nText.\n',
      'specs/deeper/z.md': '# Z\n',
    });
    assert.deepEqual(found.ids, ['specs/a.md', 'specs/b.md']);
    assert.deepEqual(found.problems, [
      'specs/c.md:4: depends on specs/gone.md, which does not exist',
      'specs/d.md:4: depends on specs/draft.md, which is not ready',
      'specs/x.md:4: the dependencies form a cycle: specs/x.md → specs/y.md → specs/x.md',
      'specs/y.md:4: the dependencies form a cycle: specs/x.md → specs/y.md → specs/x.md',
    ]);
  });

  it('a file that is no text or too large is refused, and others go on', async () => {
    const found = await reading({
      'specs/a.md': '# A\n\nText.\n',
      'specs/big.md': `# Big\n\n${'x'.repeat(1024 * 1024)}\n`,
      'specs/raw.md': 'a\0b\n',
    });
    assert.deepEqual(found.ids, ['specs/a.md']);
    assert.deepEqual(found.problems, [
      'specs/big.md:1: is larger than 1048576 bytes',
      'specs/raw.md:1: is not UTF-8 text',
    ]);
  });

  it('a folder with more files than are read is not complete, so nothing is missing from it', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 501 }, (_, n) => [`specs/${n}.md`, `# Spec ${n}\n`]),
    );
    assert.equal((await reading(many)).isComplete, false);
  });

  it('the folder may be written with dots and slashes around it', async () => {
    using fixture = gitFixture();
    const text = '---\nstatus: In Progress\n---\n### TASK-001: One\n';
    fixture.commitUpstream({ '.sdd/tasks/a/b-tasks.md': text });
    for (const folder of ['./.sdd/tasks/', '.sdd/tasks', '/.sdd/tasks']) {
      const plan = { kind: 'spiral-grove', folder, base: null } as const;
      const found = await createFileSource({ ...plan, mirror: () => fixture.mirror() }).read(null);
      assert.notEqual(found, 'unchanged');
      const ids = found === 'unchanged' ? [] : found.items.map(({ id }) => id);
      assert.deepEqual(ids, ['.sdd/tasks/a/b-tasks.md#TASK-001']);
    }
  });

  it('a repository or a branch that is not there is unavailable', async () => {
    using fixture = gitFixture();
    const mirror = () => fixture.mirror();
    const source = createFileSource({ ...SPECS, mirror, base: 'gone' });
    await assert.rejects(source.read(null), SourceUnavailable);
    await assert.rejects(source.read(null), /there is no branch gone/);
  });
});
