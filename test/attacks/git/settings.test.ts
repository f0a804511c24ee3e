import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createGitWorkspaces, type GitMirror } from '../../../src/adapters/git/workspaces.ts';
import type { Cell } from '../../../src/ports/cell.ts';
import type { Work } from '../../../src/ports/workspace.ts';
import {
  ADA,
  asWork,
  type GitFixture,
  gitAs,
  gitFixture,
  planFor,
  THREAD,
  write,
} from '../../support/git-fixture.ts';
import { casesInTier } from '../../support/tier.ts';
import { hostileFiles, hostileSettings, setTrap, type Trap, writeHooks } from './zoo.ts';

/** Few enough at a time that git inside the cell still works and the host gets something to look at. */
const AT_ONCE = 8;

describe('git settings that an agent writes', () => {
  it("git would run the programs of an agent if it were run in the agent's own directory", async () => {
    using fixture = gitFixture();
    const trap = setTrap(fixture);
    const { work } = await beginBadly(fixture, trap, await fixture.mirror());
    set(work, hostileSettings(trap.program));

    for (const args of [['status'], ['diff'], ['log', '-p'], ['add', '.'], ['stash']]) {
      try {
        gitAs(work, ...args);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
    }
    assert.notDeepEqual(trap.sprung(), []);
  });

  const names = Object.keys(hostileSettings('/pwn'));
  const groups = Array.from({ length: Math.ceil(names.length / AT_ONCE) }, (_, n) =>
    names.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
  );
  for (const some of casesInTier(groups, (_, n) => n % 3 === 0)) {
    it(`A23, A24, A25, A26: git settings of an agent run nothing on the host: ${some.join(', ')}`, async () => {
      using fixture = gitFixture();
      const trap = setTrap(fixture);
      const mirror = await fixture.mirror();
      const { cell, work, base } = await beginBadly(fixture, trap, mirror);
      const all = hostileSettings(trap.program);
      set(work, Object.fromEntries(some.map((name) => [name, all[name] ?? ''])));

      const harvest = asWork(await mirror.harvest(cell, planFor(base)));
      await everyCall(fixture, mirror, harvest);

      assert.deepEqual(trap.sprung(), []);
    });
  }
});

describe('hostile files in a repository', () => {
  it('A23, A25, A26: hostile files of a repository run nothing on the host', async () => {
    using fixture = gitFixture();
    const trap = setTrap(fixture);
    fixture.commitUpstream(hostileFiles(trap.program));
    const mirror = await fixture.mirror();
    const { cell, work, base } = await beginBadly(fixture, trap, mirror);
    write(work, { 'src/a.txt': 'changed\n' });

    const harvest = asWork(await mirror.harvest(cell, planFor(base)));
    await everyCall(fixture, mirror, harvest);

    assert.deepEqual(trap.sprung(), []);
  });
});

async function beginBadly(
  fixture: GitFixture,
  trap: Trap,
  mirror: GitMirror,
): Promise<{ cell: Cell; work: string; base: string }> {
  const base = (await mirror.tip('main')) ?? '';
  const cell = await fixture.openCell(trap.cellPath);
  const { work } = cell.paths;
  await mirror.checkOut(cell, {
    commit: base,
    branch: THREAD,
    base: mirror.defaultBranch,
    who: ADA,
    objects: mirror.objects,
  });
  write(work, hostileFiles(trap.program));
  chmodSync(join(work, 'nested/hooks/post-checkout'), 0o755);
  writeHooks(join(work, '.git/hooks'), trap.program);
  writeHooks(join(fixture.folder, 'hooks'), trap.program);
  write(work, { '.git/info/attributes': '* filter=zoo diff=zoo merge=zoo\n' });
  write(work, { 'a.bin': 'x\n' });
  return { cell, work, base };
}

/** Written as a file, as an agent would: `git config` refuses some of it. */
function set(work: string, settings: Readonly<Record<string, string>>): void {
  const lines = Object.entries(settings).map(([name, value]) => {
    const first = name.indexOf('.');
    const last = name.lastIndexOf('.');
    const part = first === last ? '' : ` ${JSON.stringify(name.slice(first + 1, last))}`;
    return `[${name.slice(0, first)}${part}]\n\t${name.slice(last + 1)} = ${JSON.stringify(value)}\n`;
  });
  const own = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
  write(work, { '.git/config': `${own}${lines.join('')}` });
}

/** All that the host does with harvested work, one after the other. */
async function everyCall(fixture: GitFixture, mirror: GitMirror, work: Work): Promise<void> {
  assert.equal((await mirror.push(work, { branch: THREAD, expected: null })).is, 'pushed');
  await mirror.rescue(work);
  await mirror.rescued();
  const merged = fixture.commitUpstream({ 'merged.txt': '1\n' });
  const again = await fixture.mirror();
  await again.tip(THREAD);
  await again.read(work.commit, '.gitattributes', 10_000);
  await again.log(work.base, work.commit, 10_000);
  await again.diff(work.base, work.commit, 100_000);
  await again.conflicts(work.commit, merged);
  const maker = { who: ADA, signingKey: null };
  const rebased = await again.rebase({
    ...maker,
    branch: THREAD,
    expected: work.commit,
    onto: merged,
  });
  assert.equal(rebased.is, 'pushed');
  const commit = fixture.upstreamTip(THREAD) ?? '';
  const message = 'Merge it';
  const plan = { ...maker, commit, into: 'main', expected: merged, how: 'merge', message } as const;
  assert.equal((await again.merge(plan)).is, 'pushed');
  await createGitWorkspaces(fixture.settings).sweep({
    cells: mkdtempSync(join(fixture.folder, 'none-')),
    alive: new Set(),
    keep: { runs: 0, rescued: 0 },
    budgetBytes: 0,
    now: Date.now() + 1e9,
  });
}
