import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { operatorToken } from './token-file.ts';

describe("the operator's token", () => {
  const logged: string[] = [];
  const record = (message: string) => void logged.push(message);
  const log = { info: record, warn: record, error: record };

  test('the token of the first start is the token of every later start', async () => {
    using folder = tempFolder();
    const token = await operatorToken(folder.path, log);
    assert.match(token, /^[\w-]{43}$/);
    assert.equal(await operatorToken(folder.path, log), token);
    assert.deepEqual(logged, []);
  });

  for (const [left, name] of [
    ['', 'empty'],
    ['\0'.repeat(44), 'full of zeros'],
  ] as const) {
    test(`a token file that a power cut left ${name} is replaced by a new token, and the log says so`, async () => {
      using folder = tempFolder();
      writeFileSync(folder.file('token'), left);
      const token = await operatorToken(folder.path, log);
      assert.equal(readFileSync(folder.file('token'), 'utf8'), `${token}\n`);
      assert.deepEqual(logged.splice(0), ['token file was empty, created a new token']);
    });
  }

  test('a token that can be guessed is refused and left as it is', async () => {
    using folder = tempFolder();
    writeFileSync(folder.file('token'), 'abc\n');
    await assert.rejects(operatorToken(folder.path, log), {
      name: 'TokenRefused',
      message: /fewer than 22 characters: remove it, and the next start creates a new one$/,
    });
    assert.equal(readFileSync(folder.file('token'), 'utf8'), 'abc\n');
  });
});
