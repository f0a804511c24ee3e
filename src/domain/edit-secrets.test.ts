import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import {
  currentKey,
  removePreviousSecret,
  removeSecret,
  rotateSecrets,
  setSecret,
} from './edit-secrets.ts';
import type { SecretKind } from './secret.ts';

const USUAL = { key: 'k1', isNewKey: false, keepsPrevious: false } as const;

function setting(
  table: BoardFixture,
  name: string,
  more: Partial<Parameters<typeof setSecret>[1]>,
) {
  const kind: SecretKind = 'webhook_secret';
  return setSecret(table.board, { ...USUAL, name, kind, ...more }, table.now);
}

function secretNames({ board }: BoardFixture) {
  return [...board.secrets.values()].map(({ name, key }) => `${name} ${key}`);
}

describe('a stored secret', () => {
  test('a secret is set with who set it and when, and set again by whoever comes later', () => {
    const table = new BoardFixture();
    table.do(setting(table, 'hook', {}));
    Object.assign(table, { at: 2_000, actor: 'operator:ben' });
    table.do(setting(table, 'hook', {}));
    const { setAt, setBy, hasPrevious } = table.board.secrets.get('hook') ?? {};
    assert.deepEqual([setAt, setBy, hasPrevious], [2_000, 'operator:ben', false]);
  });

  test('a webhook secret keeps the value before until that is removed; other kinds have one value', () => {
    const table = new BoardFixture();
    table.do(setting(table, 'hook', { keepsPrevious: true }));
    assert.equal(table.board.secrets.get('hook')?.hasPrevious, false, 'there was none before');
    table.do(setting(table, 'hook', { keepsPrevious: true }));
    assert.equal(table.board.secrets.get('hook')?.hasPrevious, true);
    table.do(removePreviousSecret(table.board, 'hook'));
    assert.equal(table.board.secrets.get('hook')?.hasPrevious, false);
    const { refused } = table.refused(removePreviousSecret(table.board, 'hook'));
    assert.equal(refused, 'unknown_secret');
    const token = setting(table, 'token', { kind: 'forge_token', keepsPrevious: true });
    assert.equal(table.refused(token).refused, 'invalid');
  });

  test('a secret that does not exist cannot be removed', () => {
    const table = new BoardFixture();
    assert.equal(table.refused(removeSecret(table.board, 'none')).refused, 'unknown_secret');
    table.do(setting(table, 'hook', {}));
    table.do(removeSecret(table.board, 'hook'));
    assert.equal(table.board.secrets.size, 0);
  });

  test('a secret is encrypted with the key of the others, unless the operator gives that key up', () => {
    const table = new BoardFixture();
    table.do(setting(table, 'one', {}));
    assert.equal(table.refused(setting(table, 'two', { key: 'k2' })).refused, 'secrets_locked');
    table.do(setting(table, 'two', { key: 'k2', isNewKey: true }));
    table.at = 0;
    table.do(setting(table, 'three', { key: 'k2' }));
    assert.equal(currentKey(table.board), 'k2', 'whatever the clock says');
    assert.equal(table.refused(setting(table, 'four', {})).refused, 'secrets_locked');
    assert.deepEqual(secretNames(table), ['one k1', 'two k2', 'three k2']);
  });

  test('once all secrets are removed, any key may encrypt the next one', () => {
    const table = new BoardFixture();
    table.do(setting(table, 'one', {}));
    table.do(removeSecret(table.board, 'one'));
    table.do(setting(table, 'two', { key: 'k2' }));
    assert.deepEqual(secretNames(table), ['two k2']);
  });

  test('a rotation moves all secrets to another key or none', () => {
    const table = new BoardFixture();
    for (const name of ['one', 'two']) table.do(setting(table, name, {}));
    const some = rotateSecrets(table.board, { key: 'k2', names: ['one'] });
    assert.equal(table.refused(some).refused, 'secrets_locked');
    table.do(rotateSecrets(table.board, { key: 'k2', names: ['one', 'two'] }));
    assert.deepEqual(secretNames(table), ['one k2', 'two k2']);
    assert.equal(currentKey(table.board), 'k2');
  });
});
