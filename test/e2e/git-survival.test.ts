import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { runScript } from '../support/child.ts';
import { type GitFixture, gitAs, gitFixture, PATH, write } from '../support/git-fixture.ts';
import { type Harvester, harvestAndPush } from '../support/git-harvester.ts';
import { runsInTier } from '../support/tier.ts';

/** More than the number of git calls between a mirror and a push. */
const ENOUGH = 60;

/** `npm test` covers every fifth call; the others are in the full tier. */
const IN_TEST = 5;

for (const how of ['before it ran', 'while it ran on alone'] as const) {
  describe(`a worker killed at a git call, ${how}`, () => {
    it('R15: after a worker is killed at any git call, the next worker pushes its work once', async () => {
      using fixture = gitFixture();
      gitAs(fixture.upstream, 'config', 'core.logAllRefUpdates', 'true');
      const first = await fixture.mirror();
      let calls = 1;
      for (; calls < ENOUGH; calls += 1) {
        if (!runsInTier(calls % IN_TEST === 1 ? 'test' : 'full')) continue;
        const asked = await leftByAgent(fixture, first, calls);
        const path = deadlyPath(fixture, { calls, how });
        const child = runScript('git-harvester.ts', [JSON.stringify({ ...asked, path })]);
        const code = await child.ended();
        if (code === 0) break;
        assert.equal(child.process.signalCode, 'SIGKILL');

        const pushed = (await harvestAndPush(asked)) as { is: string; commit: string };

        assert.equal(pushed.is, 'pushed', `after call ${calls}`);
        assert.equal(fixture.upstreamTip(asked.branch), pushed.commit);
        assert.equal(updatesOf(fixture, asked.branch), 1, `after call ${calls}`);
      }
      assert.ok(calls > 15 && calls < ENOUGH, `${calls} calls`);
    });
  });
}

async function leftByAgent(
  fixture: GitFixture,
  mirror: Awaited<ReturnType<GitFixture['mirror']>>,
  n: number,
): Promise<Harvester> {
  const branch = `hall/ada/issue-${n}`;
  const begun = await fixture.begin(mirror, branch);
  begun.write({ 'a.txt': `${n}\n` });
  begun.git('add', '.');
  begun.git('commit', '--quiet', '-m', 'Add');
  begun.write({ 'b.txt': 'left over\n' });
  return {
    root: join(fixture.folder, `root-${n}`),
    path: PATH,
    url: fixture.upstream,
    cell: dirname(begun.cell.paths.work),
    cellPath: PATH,
    base: begun.base,
    run: `r-${n}`,
    branch,
  };
}

/** A git that kills its caller at the nth call. */
function deadlyPath(
  fixture: GitFixture,
  { calls, how }: { readonly calls: number; readonly how: string },
): string {
  const folder = join(fixture.folder, `bin-${calls}`);
  const count = join(folder, 'count');
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  mkdirSync(folder);
  writeFileSync(count, '');
  const end = how === 'before it ran' ? 'exit 1' : '';
  write(folder, {
    git: `#!/bin/sh\necho x >> '${count}'\nif [ $(wc -l < '${count}') -eq ${calls} ]; then kill -9 $PPID; ${end}\nfi\nexec '${real}' "$@"\n`,
  });
  chmodSync(join(folder, 'git'), 0o755);
  return `${folder}:${PATH}`;
}

function updatesOf(fixture: GitFixture, branch: string): number {
  const log = join(fixture.upstream, 'logs/refs/heads', branch);
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0;
}
