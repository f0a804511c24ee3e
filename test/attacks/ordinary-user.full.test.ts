import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe } from 'node:test';
import { KINDS, testsWith } from '../support/cell-kinds.ts';
import { PACKAGES_OF_HALL, rerunAsOrdinaryUser } from '../support/ordinary-user.ts';

describe('an ordinary user', {
  skip: process.getuid?.() !== 0 && 'only root can become another',
}, () => {
  const test = testsWith(KINDS.sandbox);

  test('a sandbox of an ordinary user confines a hostile program', async () => {
    const file = join(import.meta.dirname, 'cell/escape.test.ts');
    const { code, passed, output } = await rerunAsOrdinaryUser(file);
    assert.equal(code, 0, output);
    assert.equal(passed > 70, true, output);
  });

  test('a sandbox of an ordinary user confines a hostile agent', async () => {
    const file = join(import.meta.dirname, 'puppet/command-agent.full.test.ts');
    const { code, passed, output } = await rerunAsOrdinaryUser(file, {}, PACKAGES_OF_HALL);
    assert.equal(code, 0, output);
    assert.ok(passed > 15, output);
  });
});
