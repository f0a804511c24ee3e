import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandName } from './command-name.ts';

describe('the command name in printed hints', () => {
  const root = join(tmpdir(), 'clone-of-guildhall');
  let bin = '';
  before(() => {
    bin = mkdtempSync(join(tmpdir(), 'bin-'));
    writeFileSync(join(bin, 'guildhall'), '');
  });
  after(() => rmSync(bin, { recursive: true }));

  it('hints print guildhall when it is on the PATH', () => {
    assert.equal(commandName({ PATH: `/usr/none:${bin}` }, root, root), 'guildhall');
  });

  it('hints print npx guildhall inside a clone', () => {
    assert.equal(commandName({ PATH: '/usr/none' }, root, root), 'npx guildhall');
    assert.equal(commandName({}, join(root, 'docs'), root), 'npx guildhall');
  });

  it('hints print the path of the launcher elsewhere, where npx would query the registry', () => {
    assert.equal(commandName({}, tmpdir(), root), join(root, 'bin/guildhall.js'));
    assert.equal(commandName({}, `${root}-of-another`, root), join(root, 'bin/guildhall.js'));
  });

  it('hints ignore the folders that npm adds to the PATH', () => {
    const npm = join(bin, 'node_modules/.bin');
    mkdirSync(npm, { recursive: true });
    writeFileSync(join(npm, 'guildhall'), '');
    assert.equal(commandName({ PATH: npm }, root, root), 'npx guildhall');
  });
});
