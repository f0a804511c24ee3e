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

/** The warnings about a configuration file, in a folder that the test may prepare. */
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

describe('the base branch of a local repository', () => {
  const git = (cwd: string, ...args: string[]) => execFileSync('git', ['-C', cwd, ...args]);
  const project = (more = '') => `projects: [{ name: shop, repo: "file:shop"${more} }]`;

  it('a checked-out base branch is warned about, whether it is set or the default', () => {
    const cwd = ownFolder();
    git(cwd, 'init', '--quiet', '--initial-branch', 'feature/x', 'shop');
    const [warning] = warningsIn(project(), cwd);
    assert.match(
      warning ?? '',
      /^projects\[0\]\.repo: \S+shop is not a bare repository; no base is set, so work starts from feature\/x, which is checked out there, and git refuses/,
    );
    assert.match(warningsIn(project(', base: feature/x'), cwd)[0] ?? '', /; work starts from/);
    assert.deepEqual(warningsIn(project(', base: main'), cwd), []);
  });

  it('a bare or missing repository gets no warning about its base branch', () => {
    const cwd = ownFolder();
    git(cwd, 'init', '--quiet', '--bare', 'shop');
    assert.deepEqual(warningsIn(project(), cwd), []);
    assert.deepEqual(warningsIn(project()), []);
  });

  it('a base branch checked out in a linked work tree is warned about', () => {
    const cwd = ownFolder();
    git(cwd, 'init', '--quiet', '--initial-branch', 'main', 'first');
    const name = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    git(join(cwd, 'first'), ...name, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    git(join(cwd, 'first'), 'worktree', 'add', '--quiet', '-b', 'beside', '../shop');
    assert.match(warningsIn(project(), cwd)[0] ?? '', /work starts from beside/);
  });
});

const TYPE = 'git: { name: Dev, email: dev@example.org }, model: m';

describe('the merge policy on-approval', () => {
  const project = (more: string) =>
    `projects:\n  - { name: shop, repo: "file:.", merge_policy: on-approval${more} }\n`;

  it('on-approval gets a warning if no agent reviews or no approval of an agent counts', () => {
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

describe('a project without isolation', () => {
  const project = (isolation: string) =>
    `projects: [{ name: shop, repo: "file:.", isolation: ${isolation} }]`;

  it('a project with isolation none gets a warning, and one with a sandbox or container does not', () => {
    const [warning] = warningsIn(project('none'));
    assert.match(warning ?? '', /^projects\[0\]\.isolation: in shop isolation is none: agents/);
    assert.deepEqual(warningsIn(project('sandbox')), []);
    assert.deepEqual(warningsIn(project('container')), []);
  });

  it('gate: sandboxed gets a warning only where there is no isolation', () => {
    const [, warning] = warningsIn(project('none, gate: sandboxed'));
    assert.match(warning ?? '', /^projects\[0\]\.gate: sandboxed has no effect in shop/);
    assert.deepEqual(warningsIn(project('sandbox, gate: sandboxed')), []);
  });
});
