import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandName } from './command-name.ts';

describe('the command that is printed for people to type', () => {
  const root = join(tmpdir(), 'clone-of-guildhall');
  let bin = '';
  before(() => {
    bin = mkdtempSync(join(tmpdir(), 'bin-'));
    writeFileSync(join(bin, 'guildhall'), '');
  });
  after(() => rmSync(bin, { recursive: true }));

  it('is guildhall where that is on the path', () => {
    assert.equal(commandName({ PATH: `/usr/none:${bin}` }, root, root), 'guildhall');
  });

  it('is npx guildhall in a clone', () => {
    assert.equal(commandName({ PATH: '/usr/none' }, root, root), 'npx guildhall');
    assert.equal(commandName({}, join(root, 'docs'), root), 'npx guildhall');
  });

  it('is the path of the launcher elsewhere, where npx would ask the registry', () => {
    assert.equal(commandName({}, tmpdir(), root), join(root, 'bin/guildhall.js'));
    assert.equal(commandName({}, `${root}-of-another`, root), join(root, 'bin/guildhall.js'));
  });

  it('does not rely on what npm puts on the path of the programs it runs', () => {
    const npm = join(bin, 'node_modules/.bin');
    mkdirSync(npm, { recursive: true });
    writeFileSync(join(npm, 'guildhall'), '');
    assert.equal(commandName({ PATH: npm }, root, root), 'npx guildhall');
  });
});
