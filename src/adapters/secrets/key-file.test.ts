import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { test } from 'node:test';
import {
  faultIn,
  secretsKeyContract,
  usable,
} from '../../../test/contracts/secrets-key.contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createKeyFile } from './key-file.ts';

function keyFile() {
  const folder = tempFolder();
  mkdirSync(folder.file('data'));
  const known: string[] = [];
  const path = folder.file('hall.key');
  const notIn = folder.file('data');
  const key = createKeyFile({ path, notIn, known: (text) => known.push(text) });
  const write = (text: string) => writeFileSync(path, text, { mode: 0o600 });
  return { folder, path, notIn, key, known, write, [Symbol.dispose]: folder[Symbol.dispose] };
}

secretsKeyContract('a file', keyFile);

test('the first key is made in a file that only its owner can read, and nothing is left beside it', async () => {
  using file = keyFile();
  const none = await file.key.read();
  assert.deepEqual(none, { fault: `the key file ${file.path} does not exist`, isMissing: true });
  const made = usable(await file.key.create());
  assert.equal(statSync(file.path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(file.folder.path).sort(), ['data', 'hall.key']);
  const [read] = usable(await file.key.read());
  assert.equal(read?.id, made.id);
  assert.ok(readFileSync(file.path, 'utf8').includes(file.known[0] ?? 'none'));
});

test('a key that is there is never replaced, even by several halls that make their first at once', async () => {
  using file = keyFile();
  const made = await Promise.all([1, 2, 3, 4].map(() => file.key.create()));
  const [read] = usable(await file.key.read());
  assert.deepEqual(new Set(made.map((key) => usable(key).id)), new Set([read?.id]));
});

test('a new key stands above the old ones, which still open what they sealed', async () => {
  using file = keyFile();
  const old = usable(await file.key.create());
  const sealed = old.seal('hook', 'a value');
  const added = usable(await file.key.addFirst());
  const keys = usable(await file.key.read());
  assert.deepEqual(
    keys.map(({ id }) => id),
    [added.id, old.id],
  );
  assert.equal(keys[1]?.open('hook', sealed), 'a value');
  assert.match(readFileSync(file.path, 'utf8'), /^# /);
  assert.equal(statSync(file.path).mode & 0o777, 0o600);
});

test('a new key goes into the file that a link names', async () => {
  using file = keyFile();
  const target = file.folder.file('elsewhere');
  writeFileSync(target, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  symlinkSync(target, file.path);
  usable(await file.key.addFirst());
  assert.ok(lstatSync(file.path).isSymbolicLink());
  assert.equal(usable(await file.key.read()).length, 2);
});

test('no key is made in the data folder, not even through a link', async () => {
  using file = keyFile();
  symlinkSync(file.notIn, file.folder.file('link'));
  const path = file.folder.file('link/hall.key');
  const key = createKeyFile({ path, notIn: file.notIn, known: () => undefined });
  const fault = faultIn(await key.create());
  assert.match(fault, /would lie in the data folder.*set hall\.secrets_key/);
  assert.deepEqual(readdirSync(file.notIn), []);
});

test('a folder that is not there is named with what to do', async () => {
  using file = keyFile();
  const path = file.folder.file('missing/hall.key');
  const key = createKeyFile({ path, notIn: file.notIn, known: () => undefined });
  const fault = faultIn(await key.create());
  assert.match(fault, /missing\/hall\.key cannot be written \(ENOENT\): make its folder writable/);
});
