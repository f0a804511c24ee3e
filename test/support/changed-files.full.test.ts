import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { changedSince, suitesReachedBy } from './changed-files.ts';
import { findSuites } from './suites.ts';
import { tempFolder } from './temp-folder.ts';

const ALL = findSuites(['src/**/*.test.ts', 'test/**/*.test.ts'], []);

describe('a change', () => {
  for (const [what, changed, reached, not] of [
    [
      'a change to a source reaches suites that import it or start the product',
      'src/domain/lost-worker.ts',
      ['src/domain/lost-worker.test.ts', 'test/e2e/killed.test.ts', 'test/architecture.test.ts'],
      ['src/domain/pattern.test.ts', 'test/attacks/shell/bypasses.test.ts'],
    ],
    [
      'a change to a program reaches suites that start it by name',
      'test/simulation/play-seeds.ts',
      ['test/simulation/simulation.test.ts'],
      ['src/domain/lost-worker.test.ts', 'test/e2e/killed.test.ts'],
    ],
    [
      'a change to a suite reaches that suite',
      'src/domain/lost-worker.test.ts',
      ['src/domain/lost-worker.test.ts', 'test/docs.test.ts'],
      ['src/domain/quota.test.ts'],
    ],
    [
      'a change to a page reaches suites that read it',
      'docs/reference/cli.md',
      ['src/cli/cli-page.test.ts', 'test/docs.test.ts'],
      ['src/domain/lost-worker.test.ts', 'src/adapters/git/mirror.test.ts'],
    ],
    [
      'a change to a skill reaches suites that read skills',
      'skills/implement.md',
      ['src/worker/skills.test.ts', 'test/docs.test.ts'],
      ['src/domain/pattern.test.ts'],
    ],
  ] as const) {
    it(what, () => {
      const suites = suitesReachedBy([changed], ALL);
      for (const suite of reached) assert.ok(suites.includes(suite), `${suite} is not reached`);
      for (const suite of not) assert.ok(!suites.includes(suite), `${suite} is reached`);
    });
  }

  it('a change to the packages, the compiler or an unreferenced file reaches every suite', () => {
    const unnamed = ['sql', 'unheard-of'].reverse().join('.');
    for (const file of ['package-lock.json', 'tsconfig.json', `src/main/${unnamed}`]) {
      assert.deepEqual(suitesReachedBy([file], ALL), ALL);
    }
  });

  it('an empty change reaches no suite', () => assert.deepEqual(suitesReachedBy([], ALL), []));
});

describe('the changed files', () => {
  it('changed files are those of the branch, uncommitted ones and untracked ones', () => {
    using folder = tempFolder();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
        cwd: folder.path,
        stdio: 'pipe',
      });
    const commit = (name: string) => {
      writeFileSync(folder.file(name), name);
      git('add', '.');
      git('commit', '-qm', name);
    };
    git('init', '-q', '-b', 'main');
    commit('old');
    git('checkout', '-qb', 'own');
    commit('committed');
    git('checkout', '-q', 'main');
    commit('later on main');
    git('checkout', '-q', 'own');
    writeFileSync(folder.file('old'), 'changed');
    writeFileSync(folder.file('unknown'), '');

    assert.deepEqual(changedSince('', folder.path), ['committed', 'old', 'unknown']);
    assert.deepEqual(changedSince('main', folder.path), ['committed', 'old', 'unknown']);
    assert.deepEqual(changedSince('HEAD', folder.path), ['old', 'unknown']);
  });
});
