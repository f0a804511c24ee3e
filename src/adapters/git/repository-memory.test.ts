import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  asWork,
  type GitFixture,
  gitFixture,
  type OpenCheckout,
} from '../../../test/support/git-fixture.ts';

const OLD = '# Memory\n\n## Tests\n\nRun make.\n';
const MORE = '\n## Style\n\nShort.\n';

async function findingsOf(fixture: GitFixture, act: (begun: OpenCheckout) => void) {
  const begun = await fixture.begin(await fixture.mirror());
  act(begun);
  const { findings } = asWork(await begun.harvest());
  return findings.map(({ kind, path, blocks }) => `${kind} ${path} ${blocks}`);
}

describe('the repository memory at a harvest', () => {
  it('an addition to the repository memory is a finding that does not block the push', async () => {
    using fixture = gitFixture();
    const first = await findingsOf(fixture, ({ write }) => write({ '.hall-local.md': OLD }));
    fixture.commitUpstream({ '.hall-local.md': OLD });
    const next = await findingsOf(fixture, ({ write }) => write({ '.hall-local.md': OLD + MORE }));
    const told = ['repository_memory .hall-local.md false'];
    assert.deepEqual([first, next], [told, told]);
  });

  it('the repository memory may be extended after a merge from upstream', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ '.hall-local.md': OLD });
    const begun = await fixture.begin(await fixture.mirror());
    begun.write({ 'a.txt': '1\n' });
    begun.git('add', '.');
    begun.git('commit', '--quiet', '-m', 'Add a');
    const upstreamCommit = fixture.commitUpstream({ '.hall-local.md': OLD + MORE });
    await fixture.mirror();
    begun.git('merge', '--quiet', '--no-edit', upstreamCommit);
    begun.write({ '.hall-local.md': `${OLD}${MORE}\n## Names\n\nPlain.\n` });
    const { findings } = asWork(await begun.harvest());
    assert.deepEqual(
      findings.map(({ blocks }) => blocks),
      [false],
    );
  });

  for (const [how, act] of [
    ['changed', ({ write }) => write({ '.hall-local.md': OLD.replace('make', 'npm') + MORE })],
    ['removed', ({ git }) => void git('rm', '--quiet', '.hall-local.md')],
    ['written over', ({ write }) => write({ '.hall-local.md': MORE })],
    [
      'a link',
      ({ cell }) => {
        rmSync(join(cell.paths.work, '.hall-local.md'));
        symlinkSync('readme.md', join(cell.paths.work, '.hall-local.md'));
      },
    ],
  ] as readonly (readonly [string, (begun: OpenCheckout) => void])[]) {
    it(`a repository memory that is ${how} blocks the push`, async () => {
      using fixture = gitFixture();
      fixture.commitUpstream({ '.hall-local.md': OLD });
      const found = await findingsOf(fixture, act);
      assert.ok(found.includes('repository_memory .hall-local.md true'), found.join());
    });
  }

  it('a repository memory too large to read may not be replaced by a small one', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ '.hall-local.md': `${OLD}${'x'.repeat(256 * 1024)}\n` });
    const found = await findingsOf(fixture, ({ write }) => write({ '.hall-local.md': OLD }));
    assert.deepEqual(found, ['repository_memory .hall-local.md true']);
  });

  it('a repository memory under another spelling blocks the push', async () => {
    using fixture = gitFixture();
    const found = await findingsOf(fixture, ({ write }) => write({ '.Hall-Local.md': OLD }));
    assert.deepEqual(found, ['repository_memory .Hall-Local.md true']);
  });
});
