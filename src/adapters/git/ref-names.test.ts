import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkedRun, isBranchName, refOf } from './ref-names.ts';

const SIGNS = [...' ~^:?*[\\"\'`$&|;<>(){}!#%=,+@'];
const HOSTILE = [
  ...SIGNS.map((sign) => `a${sign}b`),
  ...SIGNS.map((sign) => `${sign}b`),
  ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`),
  ...['-', '--all', '--upload-pack=touch', '--output=x', '-oProxyCommand=x', '-c', '--'],
  ...[
    `x;touch$${'{IFS}pwn'}`,
    '$(id)',
    '`id`',
    `$${'{HOME}'}`,
    'a\nb',
    'a\u202Eb',
    'a\u200Bb',
    'a\u007Fb',
  ],
  ...['a.lock', 'a/b.lock', 'a.LOCK/b', '@', '@{1}', 'a@{b', 'a..b', '../a', 'a/../b', '/a', 'a/'],
  ...[
    'a//b',
    '.a',
    'a/.b',
    'a.',
    'a./b',
    '',
    'HEAD',
    'FETCH_HEAD',
    'a'.repeat(201),
    'f'.repeat(40),
  ],
  ...['ä', '分支', 'a／b', 'a．．b', 'refs/heads/-x', 'a/-b', '~root', 'C:', 'a\0b'],
];

describe('a branch name', () => {
  it('A27, A28: a branch name that could be an option, an expression or a path out is refused', () => {
    assert.ok(HOSTILE.length >= 100);
    for (const name of HOSTILE) {
      assert.equal(isBranchName(name), false, JSON.stringify(name));
      assert.throws(() => refOf(name), { name: 'RepositoryFailed' });
    }
  });

  it('ordinary branch names and those of the hall are valid', () => {
    const names = [
      'hall/old-major/issue-12',
      'hall/ada/acme-shop-issue-7',
      'main',
      'release/1.x',
      'v2_b',
    ];
    for (const name of names) assert.equal(refOf(name), `refs/heads/${name}`);
  });
});

describe('the name of a run', () => {
  it('A29: a run name that would lead out of its folder is refused', () => {
    for (const name of [
      '../../etc',
      'a/b',
      '',
      '.',
      '..',
      'a\0',
      'a.b',
      '．．',
      '-x',
      'a b',
      'x'.repeat(101),
    ]) {
      assert.throws(() => checkedRun(name), { name: 'RepositoryFailed' }, JSON.stringify(name));
    }
    assert.equal(checkedRun('r-41'), 'r-41');
  });
});
