import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLater, releaseChangelog } from '../release.ts';

describe('a release', () => {
  const changelog = (unreleased: string) =>
    `# Changelog\n\n## [Unreleased]\n${unreleased}\n## [0.1.0] - 2025-01-01\n\n- The first.\n`;

  it('a release gives the unreleased entries a version and a date', () => {
    assert.deepEqual(
      releaseChangelog(changelog('\n### Added\n\n- Claims.\n'), '0.2.0', '2025-02-01'),
      {
        text: [
          '# Changelog',
          '## [Unreleased]',
          '## [0.2.0] - 2025-02-01',
          '### Added',
          '- Claims.',
          '## [0.1.0] - 2025-01-01',
          '- The first.\n',
        ].join('\n\n'),
      },
    );
  });

  it('a release is refused without an entry under Unreleased', () => {
    for (const empty of ['', '\n### Added\n']) {
      assert.deepEqual(releaseChangelog(changelog(empty), '0.2.0', '2025-02-01'), {
        refused: 'CHANGELOG.md has no entry under Unreleased',
      });
    }
  });

  it('a release is refused without the heading Unreleased', () => {
    assert.ok('refused' in releaseChangelog('# Changelog\n', '0.2.0', '2025-02-01'));
  });

  it('a release needs a later version', () => {
    for (const later of ['0.1.10', '0.2.0', '1.0.0']) assert.ok(isLater(later, '0.1.9'), later);
    for (const not of ['0.1.9', '0.1.8', '0.0.10', 'v0.2.0', '0.2', '']) {
      assert.ok(!isLater(not, '0.1.9'), not);
    }
  });
});
