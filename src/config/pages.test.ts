import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import {
  choicesOf,
  PROJECT_SETTINGS,
  type Setting,
  type SettingName,
} from '../api/project-settings.ts';
import { VARIABLES } from './environment-overrides.ts';
import { loadConfig } from './load.ts';
import { AgentsFile } from './persona-schema.ts';
import { ConfigFile } from './schema.ts';
import { everyKey } from './schema-keys.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/reference/configuration.md'), 'utf8');

/** The columns of the rows whose first cell is code. */
const rows = page
  .split('\n')
  .map((line) => /^\| `([^`]+)` \|(.*?)\|(?:(.*?)\|)?$/.exec(line))
  .filter((row) => row !== null)
  .map(([, key = '', second = '', third = '']) => ({
    key,
    second: second.trim(),
    third: third.trim(),
  }));

describe('the reference page of the configuration', () => {
  const keys = [...everyKey(ConfigFile), ...everyKey(AgentsFile)];

  it('the configuration page lists exactly the keys that exist', () => {
    const listed = rows.map(({ key }) => key).filter((key) => !key.startsWith('GUILDHALL_'));
    assert.deepEqual(listed.toSorted(), keys.map(({ path }) => path).toSorted());
  });

  it('the configuration page gives the default of every key', () => {
    for (const { path, default: value } of keys) {
      const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (value === undefined || isGroup || /^(forges|types|invokers|projects|agents)$/.test(path))
        continue;
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      assert.equal(rows.find(({ key }) => key === path)?.second, `\`${shown}\``, path);
    }
  });

  it('the configuration page describes every project setting as the settings table does', () => {
    for (const [name, { description: about }] of Object.entries<Setting>(PROJECT_SETTINGS)) {
      const choices = choicesOf(name as SettingName);
      const line = `${about}${choices ? `: ${choices.join(', ')}` : ''}`.replaceAll('<', '\\<');
      assert.equal(rows.find(({ key }) => key === `projects[].${name}`)?.third, line, name);
    }
  });

  it('the configuration page lists the variable of every key of the hall section', () => {
    const listed = rows.filter(({ key }) => key.startsWith('GUILDHALL_'));
    assert.deepEqual(
      listed.map(({ key, second }) => [key, /`([^`]+)`/.exec(second)?.[1]]),
      Object.entries(VARIABLES).map(([name, { path }]) => [name, `hall.${path.join('.')}`]),
    );
    const leaves = keys
      .filter(
        ({ path }) =>
          /^hall\./.test(path) &&
          !/^hall\.(auth|retention|sources|secrets_key\.command)$/.test(path),
      )
      .map(({ path }) => path);
    assert.deepEqual(
      Object.values(VARIABLES)
        .map(({ path }) => `hall.${path.join('.')}`)
        .toSorted(),
      leaves.toSorted(),
    );
  });
});

describe('the example configuration', () => {
  it('the example configuration has no mistakes and declares three types and a project', () => {
    // In the repository root its project would be a clone with a checked-out branch, which gets a warning.
    using folder = tempFolder();
    const config = folder.file('guildhall.yaml');
    copyFileSync(join(ROOT, 'guildhall.example.yaml'), config);
    const { declaration, warnings } = loadConfig({
      flags: {},
      cwd: folder.path,
      part: 'all',
      environment: {},
      config,
    });
    assert.deepEqual(
      declaration.types.map(({ name }) => name),
      ['boss', 'dev', 'reviewer'],
    );
    assert.equal(declaration.projects[0]?.name, 'example');
    assert.deepEqual(warnings, []);
  });
});
