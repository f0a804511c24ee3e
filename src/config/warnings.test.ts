import assert from 'node:assert/strict';
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

const TYPE = 'git: { name: Dev, email: dev@example.org }, model: m';

describe('a policy that merges what was approved', () => {
  const project = (more: string) =>
    `projects:\n  - { name: shop, repo: "file:.", merge_policy: on-approval${more} }\n`;

  it('GH-010: is warned of where no agent reviews, and where its approval does not count', () => {
    const alone = warningsIn(`types: { boss: { ${TYPE} }, dev: { ${TYPE} } }\n${project('')}`);
    assert.match(
      alone.at(-1) ?? '',
      /^projects\[0\]\.merge_policy: on-approval waits for an approval in shop, and no agent here gives one: declare a type reviewer/,
    );
    assert.match(warningsIn(project('')).at(-1) ?? '', /list reviewer in approvers, or approve/);
    assert.deepEqual(warningsIn(project(', approvers: [reviewer]')), []);
    assert.deepEqual(warningsIn('projects: [{ name: shop, repo: "file:." }]'), []);
  });
});
