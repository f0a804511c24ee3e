import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remoteIn } from './forge-remote.ts';

for (const [address, expected] of [
  ['https://github.com/acme/shop.git', 'https://github.com acme/shop'],
  ['https://token@github.com/acme/shop', 'https://github.com acme/shop'],
  ['git@github.com:acme/shop.git', 'https://github.com acme/shop'],
  ['ssh://git@forge.example:2222/acme/shop.git', 'https://forge.example acme/shop'],
  ['http://127.0.0.1:3000/acme/shop/', 'http://127.0.0.1:3000 acme/shop'],
  ['forge.example:acme/shop', 'https://forge.example acme/shop'],
  ['https://gitlab.example/group/sub/shop.git', undefined],
  ['/srv/git/shop.git', undefined],
  ['../shop', undefined],
  ['file:///srv/shop.git', undefined],
] as const) {
  test(`the remote ${address} is ${expected ?? 'on no forge'}`, () => {
    const found = remoteIn(address);
    assert.equal(found && `${found.url} ${found.path}`, expected);
  });
}
