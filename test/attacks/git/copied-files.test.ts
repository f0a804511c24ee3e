import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { copyIntoWorkTree } from '../../../src/adapters/git/copy-files.ts';
import { gitAs, gitFixture, write } from '../../support/git-fixture.ts';

describe('files copied into a work tree', () => {
  it('A19: files are not copied through a symbolic link of the repository', async () => {
    using fixture = gitFixture();
    const outside = join(fixture.folder, 'outside');
    mkdirSync(outside);
    const person = join(fixture.folder, 'person');
    symlinkSync(outside, join(person, 'config'));
    symlinkSync(join(outside, 'env'), join(person, 'linked.env'));
    gitAs(person, 'add', '.');
    fixture.commitUpstream({ '.gitignore': '*.env\n' });
    write(fixture.folder, { 'own/config/a.env': 'A=1\n', 'own/linked.env': 'B=1\n' });
    const { cell } = await fixture.begin(await fixture.mirror());
    const from = join(fixture.folder, 'own');

    for (const file of ['config/a.env', 'linked.env']) {
      await assert.rejects(copyIntoWorkTree(cell, { from, files: [file] }), {
        name: 'RepositoryFailed',
      });
    }
    assert.ok(!existsSync(join(outside, 'a.env')));
    assert.ok(!existsSync(join(outside, 'env')));
  });

  it('A19: links, pipes and files outside the folder are not copied', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ '.gitignore': '*\n!.gitignore\n' });
    write(fixture.folder, { 'secret/key': 'x', 'own/plain': 'x' });
    const from = join(fixture.folder, 'own');
    symlinkSync(join(fixture.folder, 'secret'), join(from, 'away'));
    symlinkSync(join(fixture.folder, 'secret/key'), join(from, 'key'));
    execFileSync('mkfifo', [join(from, 'pipe')]);
    const { cell } = await fixture.begin(await fixture.mirror());

    for (const file of [
      'away/key',
      'key',
      '../secret/key',
      '/etc/passwd',
      'a/../../x',
      '.git/config',
      '',
    ]) {
      await assert.rejects(
        copyIntoWorkTree(cell, { from, files: [file] }),
        { name: 'RepositoryFailed' },
        file,
      );
    }
    assert.deepEqual(await copyIntoWorkTree(cell, { from, files: ['pipe', 'plain'] }), ['plain']);
  });

  it('a file that the repository does not ignore is not copied', async () => {
    using fixture = gitFixture();
    write(fixture.folder, { 'own/not-ignored': 'x' });
    const { cell } = await fixture.begin(await fixture.mirror());
    await assert.rejects(
      copyIntoWorkTree(cell, { from: join(fixture.folder, 'own'), files: ['not-ignored'] }),
      /the repository does not ignore it/,
    );
  });
});
