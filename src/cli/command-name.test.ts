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
    assert.equal(
      commandName({ environment: { PATH: `/usr/none:${bin}` }, cwd: root }, root),
      'guildhall',
    );
  });

  it('hints print npx guildhall inside a clone', () => {
    assert.equal(
      commandName({ environment: { PATH: '/usr/none' }, cwd: root }, root),
      'npx guildhall',
    );
    assert.equal(commandName({ environment: {}, cwd: join(root, 'docs') }, root), 'npx guildhall');
  });

  it('hints print the path of the launcher elsewhere, where npx would query the registry', () => {
    assert.equal(
      commandName({ environment: {}, cwd: tmpdir() }, root),
      `node ${join(root, 'bin/guildhall.js')}`,
    );
    assert.equal(
      commandName({ environment: {}, cwd: `${root}-of-another` }, root),
      `node ${join(root, 'bin/guildhall.js')}`,
    );
  });

  it('hints ignore the folders that npm adds to the PATH', () => {
    const npm = join(mkdtempSync(join(bin, 'npm-')), 'node_modules/.bin');
    mkdirSync(npm, { recursive: true });
    writeFileSync(join(npm, 'guildhall'), '');
    assert.equal(commandName({ environment: { PATH: npm }, cwd: root }, root), 'npx guildhall');
  });

  it('hints print node and the launcher where it was started so, relative to a folder above it', () => {
    const script = join(root, 'bin/guildhall.js');
    const environment = { PATH: bin };
    assert.equal(commandName({ environment, cwd: root, script }, root), 'node bin/guildhall.js');
    assert.equal(commandName({ environment, cwd: bin, script }, root), `node ${script}`);
    const npm = { ...environment, npm_lifecycle_event: 'npx' };
    assert.equal(commandName({ environment: npm, cwd: root, script }, root), 'npx guildhall');
  });

  it('hints print npx only where it finds the program without the registry', () => {
    const app = mkdtempSync(join(bin, 'app-'));
    const installed = join(app, 'node_modules/guildhall');
    const script = join(installed, 'bin/guildhall.js');
    const environment = { npm_lifecycle_event: 'npx' };
    const named = (cwd: string) => commandName({ environment, cwd, script }, installed);
    assert.equal(named(app), `node ${script}`);
    mkdirSync(join(app, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(app, 'node_modules/.bin/guildhall'), '');
    assert.equal(named(join(app, 'docs')), 'npx guildhall');
    assert.equal(named(tmpdir()), `node ${script}`);
  });

  it('hints are for the folder in which npm was started, not for the package that it runs', () => {
    const environment = { npm_lifecycle_event: 'start', INIT_CWD: tmpdir() };
    assert.equal(
      commandName({ environment, cwd: root }, root),
      `node ${join(root, 'bin/guildhall.js')}`,
    );
  });
});
