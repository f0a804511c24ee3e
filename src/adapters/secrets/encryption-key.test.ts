import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createEncryptionKey } from './encryption-key.ts';

const VALUE = 'sk-ant-api03-müller-€';

test('a key opens what it sealed, and two sealed texts of one value differ', () => {
  const key = createEncryptionKey(randomBytes(32));
  const [one, other] = [key.seal('anthropic', VALUE), key.seal('anthropic', VALUE)];
  assert.equal(key.open('anthropic', one), VALUE);
  assert.equal(key.open('anthropic', other), VALUE);
  const [, keyId, ...parts] = one.split('.');
  assert.equal(keyId, key.id);
  for (const part of parts) assert.ok(!other.includes(part), 'a new data key and new nonces');
});

test('a text that was sealed with another key or under another name is not opened', () => {
  const [key, other] = [createEncryptionKey(randomBytes(32)), createEncryptionKey(randomBytes(32))];
  const sealed = key.seal('anthropic', VALUE);
  assert.equal(other.open('anthropic', sealed), undefined);
  assert.equal(other.open('anthropic', sealed.replace(key.id, other.id)), undefined);
  assert.equal(key.open('github', sealed), undefined);
});

test('a sealed text in which any character was changed is not opened', () => {
  const key = createEncryptionKey(randomBytes(32));
  const sealed = key.seal('hook', 'a-value');
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
    if (isSameBase64(changed, sealed)) continue;
    assert.equal(key.open('hook', changed), undefined, `character ${at}`);
  }
  for (const other of ['', '1', sealed.slice(0, -4), `2${sealed.slice(1)}`, `${sealed}.`]) {
    assert.equal(key.open('hook', other), undefined, other);
  }
});

/** The last letter of base64 has bits that mean nothing. */
function isSameBase64(one: string, other: string): boolean {
  const bytes = (text: string) =>
    text.split('.').map((part, n) => (n < 2 ? part : Buffer.from(part, 'base64').toString('hex')));
  return bytes(one).join('.') === bytes(other).join('.');
}

test('the id of a key depends on its bytes only and does not contain them', () => {
  const bytes = randomBytes(32);
  const { id } = createEncryptionKey(bytes);
  assert.equal(createEncryptionKey(Buffer.from(bytes)).id, id);
  assert.ok(!bytes.toString('hex').includes(id));
});

test('a digest is the same for the same text and differs with the key', () => {
  const [key, other] = [createEncryptionKey(randomBytes(32)), createEncryptionKey(randomBytes(32))];
  assert.equal(key.digest(VALUE), key.digest(VALUE));
  assert.notEqual(key.digest(VALUE), other.digest(VALUE));
});
