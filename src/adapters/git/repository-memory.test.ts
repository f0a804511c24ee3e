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

async function findingsOf(fixture: GitFixture, act: (checkout: OpenCheckout) => void) {
  const checkout = await fixture.begin(await fixture.mirror());
  act(checkout);
  const { findings } = asWork(await checkout.harvest());
  return findings.map(({ kind, path, blocks }) => `${kind} ${path} ${blocks}`);
}

describe('the repository memory at a harvest', () => {
  it('an addition to the repository memory is a finding that does not block the push', async () => {
    using fixture = gitFixture();
    const first = await findingsOf(fixture, ({ write }) => write({ '.hall-local.md': OLD }));
    fixture.commitUpstream({ '.hall-local.md': OLD });
    const next = await findingsOf(fixture, ({ write }) => write({ '.hall-local.md': OLD + MORE }));
    const expected = ['repository_memory .hall-local.md false'];
    assert.deepEqual([first, next], [expected, expected]);
  });

  it('the repository memory may be extended after a merge from upstream', async () => {
    using fixture = gitFixture();
    fixture.commitUpstream({ '.hall-local.md': OLD });
    const checkout = await fixture.begin(await fixture.mirror());
    checkout.write({ 'a.txt': '1\n' });
    checkout.git('add', '.');
    checkout.git('commit', '--quiet', '-m', 'Add a');
    const upstreamCommit = fixture.commitUpstream({ '.hall-local.md': OLD + MORE });
    await fixture.mirror();
    checkout.git('merge', '--quiet', '--no-edit', upstreamCommit);
    checkout.write({ '.hall-local.md': `${OLD}${MORE}\n## Names\n\nPlain.\n` });
    const { findings } = asWork(await checkout.harvest());
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
  ] as readonly (readonly [string, (checkout: OpenCheckout) => void])[]) {
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
