import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { createFolder } from './create-folder.ts';

test('a folder is created with its parents, for its owner only, and may exist already', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a', 'b');
  createFolder(path);
  createFolder(path);
  assert.equal(statSync(path).mode & 0o777, 0o700);
});

test('a folder that cannot be created fails at once', () => {
  assert.throws(() => createFolder('/proc/guildhall/data'), /ENOENT/);
});

test('a file in place of a folder is refused', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'file');
  writeFileSync(path, '');
  assert.throws(() => createFolder(path), /EEXIST/);
});
