import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { loadConfig } from './load.ts';

const folder = tempFolder();
after(() => folder[Symbol.dispose]());
let count = 0;

/** What is warned of in a file, whose folder the test may fill before. */
function warningsIn(yaml: string, cwd = ownFolder()): readonly string[] {
  writeFileSync(join(cwd, 'guildhall.yaml'), yaml);
  return loadConfig({ flags: {}, environment: {}, cwd, part: 'all' }).warnings;
}

function ownFolder(): string {
  count += 1;
  const cwd = join(folder.path, String(count));
  mkdirSync(cwd);
  return cwd;
}

describe('the base of a repository that is a folder', () => {
  const git = (cwd: string, ...args: string[]) => execFileSync('git', ['-C', cwd, ...args]);
  const project = (more = '') => `projects: [{ name: shop, repo: "file:shop"${more} }]`;

  it('is named where it is what somebody has checked out, given or not', () => {
    const cwd = ownFolder();
    git(cwd, 'init', '--quiet', '--initial-branch', 'feature/x', 'shop');
    const [warning] = warningsIn(project(), cwd);
    assert.match(
      warning ?? '',
      /^projects\[0\]\.repo: \S+shop is a clone .* no base is given, so work starts from feature\/x, which is checked out there, and git refuses/,
    );
    assert.match(warningsIn(project(', base: feature/x'), cwd)[0] ?? '', /; work starts from/);
    assert.deepEqual(warningsIn(project(', base: main'), cwd), []);
  });

  it('is nothing to warn of in a bare repository, nor where nothing is', () => {
    const cwd = ownFolder();
    git(cwd, 'init', '--quiet', '--bare', 'shop');
    assert.deepEqual(warningsIn(project(), cwd), []);
    assert.deepEqual(warningsIn(project()), []);
  });

  it('is seen in a linked work tree too', () => {
    const cwd = ownFolder();
    git(cwd, 'init', '--quiet', '--initial-branch', 'main', 'first');
    const name = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    git(join(cwd, 'first'), ...name, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    git(join(cwd, 'first'), 'worktree', 'add', '--quiet', '-b', 'beside', '../shop');
    assert.match(warningsIn(project(), cwd)[0] ?? '', /work starts from beside/);
  });
});

describe('a repository on a forge', () => {
  it('is one that agents of the hall do not reach yet', () => {
    const [warning] = warningsIn('projects: [{ name: shop, repo: "github:acme/shop" }]');
    assert.match(
      warning ?? '',
      /^projects\[0\]\.repo: github:acme\/shop is on a forge, .*file:path/,
    );
    assert.deepEqual(warningsIn('projects: [{ name: shop }]'), []);
  });
});

const TYPE = 'git: { name: Dev, email: dev@example.org }, model: m';

describe('a policy that merges what was approved', () => {
  const project = (more: string) =>
    `projects:\n  - { name: shop, repo: "file:.", merge_policy: on-approval${more} }\n`;

  it('is warned of where no agent reviews, and where its approval does not count', () => {
    const alone = warningsIn(`types: { boss: { ${TYPE} }, dev: { ${TYPE} } }\n${project('')}`);
    assert.match(
      alone.at(-1) ?? '',
      /^projects\[0\]\.merge_policy: on-approval waits for an approval in shop, and no agent can approve: declare a type reviewer/,
    );
    assert.match(warningsIn(project('')).at(-1) ?? '', /list reviewer in approvers, or approve/);
    assert.deepEqual(warningsIn(project(', approvers: [reviewer]')), []);
    assert.deepEqual(warningsIn('projects: [{ name: shop, repo: "file:." }]'), []);
  });
});

describe('a project without walls', () => {
  const project = (isolation: string) =>
    `projects: [{ name: shop, repo: "file:.", isolation: ${isolation} }]`;

  it('is named, and one with walls is not', () => {
    const [warning] = warningsIn(project('none'));
    assert.match(warning ?? '', /^projects\[0\]\.isolation: in shop isolation is none: agents/);
    assert.deepEqual(warningsIn(project('sandbox')), []);
    assert.deepEqual(warningsIn(project('container')), []);
  });
});
