import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { redactText } from './redaction.ts';

describe('redaction', () => {
  test('P11: a credential is redacted by its form or by the name before it', () => {
    const key = ['sk', 'ant', 'api03-Zx81kQ0pLmN4vB7cR2tY'].join('-');
    const told = [
      `the key is ${key}.`,
      `GITHUB_TOKEN=${['gh', 'p_'].join('')}abcdefghijklmnopqrstuvwxyz0123`,
      `use ghr_zx81-${'zx81-Zx81_'.repeat(4)} here`,
      'password: "hunter2hunter2"',
      'api_key = zx81kq0plmn4',
      'curl -H "Authorization: Bearer zx81kq0plmn4vb7c" ',
      'postgres://shop:pa55word@db/shop',
    ];
    for (const text of told) {
      assert.match(redactText(text), /\[redacted\]/, text);
      assert.doesNotMatch(redactText(text), /Zx81|zx81|hunter2|pa55word|abcdefghij/, text);
    }
  });

  test('P11: every known form of key is redacted, even alone in a text', () => {
    const made = (length: number) => 'Ab3'.repeat(length).slice(0, length);
    const keys = [
      `-----BEGIN RSA PRIVATE ${'KEY'}-----${made(40)}`,
      ...['gh_', 'ghw_', 'ghr_'].map((start) => `${start}${made(43)}`),
      ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'github_pat_'].map((start) => `${start}${made(30)}`),
      ...['sk-', 'glpat-', 'xoxb-', 'xoxp-'].map((start) => `${start}${made(30)}`),
      ...['AKIA', 'ASIA'].map((start) => `${start}${made(16).toUpperCase()}`),
      ...['npm_', 'AIza'].map((start) => `${start}${made(35)}`),
      `eyJ${made(20)}.eyJ${made(20)}.${made(20)}`,
    ];
    for (const key of keys) assert.equal(redactText(`it is ${key}`), 'it is [redacted]', key);
  });

  test('prose about tokens and code that names them are not redacted', () => {
    const told = [
      'The token count is wrong, and the password reset does not send a mail.',
      'function open(token: string, secret?: Buffer): boolean',
      'basic functionality of the bearer authentication works',
      'password = readPassword()',
      'commit 3f2a1b9c0d4e5f60718293a4b5c6d7e8f9012345 passes 12 tests',
    ];
    for (const text of told) assert.equal(redactText(text), text);
  });
});
