import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { copyIntoWork } from '../../../src/adapters/git/copy-files.ts';
import { gitAs, gitScene, write } from '../../support/git-scene.ts';

describe('files copied into a work tree', () => {
  it('A19: go through no link that the repository ships', async () => {
    using scene = gitScene();
    const outside = join(scene.folder, 'outside');
    mkdirSync(outside);
    const person = join(scene.folder, 'person');
    symlinkSync(outside, join(person, 'config'));
    symlinkSync(join(outside, 'env'), join(person, 'linked.env'));
    gitAs(person, 'add', '.');
    scene.land({ '.gitignore': '*.env\n' });
    write(scene.folder, { 'own/config/a.env': 'A=1\n', 'own/linked.env': 'B=1\n' });
    const { cell } = await scene.begin(await scene.mirror());
    const from = join(scene.folder, 'own');

    for (const file of ['config/a.env', 'linked.env']) {
      await assert.rejects(copyIntoWork(cell, { from, files: [file] }), {
        name: 'RepositoryFailed',
      });
    }
    assert.ok(!existsSync(join(outside, 'a.env')));
    assert.ok(!existsSync(join(outside, 'env')));
  });

  it('A19: come from no link, no pipe and no place outside the folder', async () => {
    using scene = gitScene();
    scene.land({ '.gitignore': '*\n!.gitignore\n' });
    write(scene.folder, { 'secret/key': 'x', 'own/plain': 'x' });
    const from = join(scene.folder, 'own');
    symlinkSync(join(scene.folder, 'secret'), join(from, 'away'));
    symlinkSync(join(scene.folder, 'secret/key'), join(from, 'key'));
    execFileSync('mkfifo', [join(from, 'pipe')]);
    const { cell } = await scene.begin(await scene.mirror());

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
        copyIntoWork(cell, { from, files: [file] }),
        { name: 'RepositoryFailed' },
        file,
      );
    }
    assert.deepEqual(await copyIntoWork(cell, { from, files: ['pipe', 'plain'] }), ['plain']);
  });

  it('are refused where a commit would take them in', async () => {
    using scene = gitScene();
    write(scene.folder, { 'own/not-ignored': 'x' });
    const { cell } = await scene.begin(await scene.mirror());
    await assert.rejects(
      copyIntoWork(cell, { from: join(scene.folder, 'own'), files: ['not-ignored'] }),
      /the repository does not ignore it/,
    );
  });
});
