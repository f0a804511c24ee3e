import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { type ConfigLocation, findData } from './find-data.ts';
import { loadConfig } from './load.ts';

type Case = Partial<Omit<ConfigLocation, 'cwd'>> & { readonly file?: string };

const SAME: Readonly<Record<string, Case>> = {
  'no file': {},
  'an empty file': { file: '' },
  'a file without the section': { file: 'projects: []' },
  'a folder in the file': { file: 'hall: { data: ../elsewhere }' },
  'spaces around the folder': { file: 'hall: { data: " ./d " }' },
  'a variable in the file': { file: 'hall: { data: $PLACE }', environment: { PLACE: '/srv/d' } },
  'a database': { file: 'hall: { store: "postgres://hall@db/hall" }' },
  'a database from a variable': { environment: { GUILDHALL_STORE: 'postgres://hall@db/hall' } },
  'a variable above the file': {
    file: 'hall: { data: ./d }',
    environment: { GUILDHALL_DATA: 'from-variable' },
  },
  'a flag above the variable': {
    environment: { GUILDHALL_DATA: 'from-variable' },
    flags: { data: 'from-flag' },
  },
  'a variable that names a file with the path': {
    file: 'hall: {}',
    environment: { GUILDHALL_DATA_FILE: 'guildhall.yaml' },
  },
  'other settings': { environment: { PORT: '80', GUILDHALL_AUTH_MODE: 'tokens' } },
  'another file': { file: 'hall: { data: ./d }', config: './guildhall.yaml' },
  'another file from a variable': {
    file: 'hall: { data: ./d }',
    environment: { GUILDHALL_CONFIG: 'guildhall.yaml' },
  },
};

const LEFT_TO_THE_CHECK: Readonly<Record<string, Case>> = {
  'a missing file': { config: 'nowhere.yaml' },
  'a file that is not YAML': { file: 'hall: [' },
  'a folder that is a number': { file: 'hall: { data: 5 }' },
  'an empty folder': { file: 'hall: { data: "" }' },
  'a variable that is not set': { file: 'hall: { data: $PLACE }' },
  'a variable that names no file': { environment: { GUILDHALL_STORE_FILE: 'nowhere' } },
};

describe('the data folder without a check of the configuration', () => {
  for (const [what, given] of Object.entries(SAME)) {
    it(`the data folder is the one of the checked configuration: ${what}`, async () => {
      using folder = laidOut(given);
      const location = locationOf(given, folder.path);
      const { data, store } = loadConfig({ ...location, part: 'hall' }).hall;
      const found = await findData(location);
      assert.equal(found?.data, data);
      assert.equal(found?.isShared, store.kind === 'postgres');
      assert.equal(found?.isDefault, what === 'no file');
    });
  }

  for (const [what, given] of Object.entries(LEFT_TO_THE_CHECK)) {
    it(`the check of the configuration says what is wrong: ${what}`, async () => {
      using folder = laidOut(given);
      const location = locationOf(given, folder.path);
      assert.equal(await findData(location), undefined);
      assert.throws(() => loadConfig({ ...location, part: 'hall' }), { name: 'ConfigRefused' });
    });
  }
});

function laidOut({ file }: Case) {
  const folder = tempFolder();
  mkdirSync(folder.file('hall'));
  if (file !== undefined) writeFileSync(folder.file('hall/guildhall.yaml'), file);
  return folder;
}

function locationOf({ config, flags = {}, environment = {} }: Case, folder: string) {
  return { config, flags, environment, cwd: `${folder}/hall` };
}
