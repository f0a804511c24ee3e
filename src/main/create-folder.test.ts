import assert from 'node:assert/strict';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { createFolder } from './create-folder.ts';

test('a folder is created with its parents, for its owner only, and may exist already', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a', 'b');
  createFolder(path, 0o700);
  createFolder(path, 0o700);
  assert.equal(statSync(path).mode & 0o777, 0o700);
});

test('a folder that cannot be created fails at once', () => {
  assert.throws(() => createFolder('/proc/guildhall/data', 0o700), /ENOENT/);
});

test('a file or a dangling link in place of a folder is refused', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'file');
  writeFileSync(path, '');
  assert.throws(() => createFolder(path, 0o700), /EEXIST/);
  const link = join(folder.path, 'link');
  symlinkSync(join(folder.path, 'gone'), link);
  assert.throws(() => createFolder(link, 0o700), /EEXIST/);
});
