import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitAs } from '../support/git-fixture.ts';
import { HallFixture } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { guildhall } from './cli-command.ts';

/** A repository with one commit on main and one on a branch; returns the second. */
function repository(folder: string): string {
  mkdirSync(folder);
  gitAs(folder, 'init', '--quiet', '--initial-branch=main');
  gitAs(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  gitAs(folder, 'checkout', '--quiet', '-b', 'hall/dev/issue-1');
  writeFileSync(join(folder, 'price.txt'), 'five euro\u001b[2J\n');
  gitAs(folder, 'add', '--all');
  gitAs(folder, 'commit', '--quiet', '--message', 'Say the price');
  const commit = gitAs(folder, 'rev-parse', 'HEAD').trim();
  gitAs(folder, 'checkout', '--quiet', 'main');
  return commit;
}

test('thread diff shows what the branch of a thread changes, with control characters escaped', async () => {
  using folder = tempFolder();
  const shop = folder.file('shop');
  const commit = repository(shop);
  const dev = { git: { name: 'Dev', email: 'dev@guildhall.invalid' }, model: 'any' };
  const own = { name: 'own', repo: `file:${shop}`, ci: 'none' };
  await using hall = await HallInProcess.start({
    types: { dev },
    declared: [own, { name: 'bare' }],
  });
  using fixture = new HallFixture(hall);
  const type = (...args: string[]) =>
    guildhall([...args, '--config', hall.config], { cwd: hall.folder });
  const [first] = (await fixture.post('/v1/tasks', [{ project: 'own', title: 'it' }])).tasks;
  const early = await type('thread', 'diff', first.thread);
  assert.equal(early.code, 1);
  assert.match(early.stderr, /th-\d+ has no commit yet/);

  const worker = await fixture.worker({ projects: ['own'] });
  const claim = await worker.claimed();
  await worker.mustCall('report', claim, {
    outcome: 'pr_created',
    branch: 'hall/dev/issue-1',
    commit,
  });
  const shown = await type('thread', 'diff', first.thread);
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /^\+five euro\\x1b\[2J$/m);
  const stat = await type('thread', 'diff', first.thread, '--stat');
  assert.match(stat.stdout, /price\.txt \| 1 \+/);
  assert.doesNotMatch(stat.stdout, /five euro/);

  const [other] = (await fixture.post('/v1/tasks', [{ project: 'bare', title: 'it' }])).tasks;
  const none = await type('thread', 'diff', other.thread);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /no repository to read on this machine: its project has no repository/);
});
