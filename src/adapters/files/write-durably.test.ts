import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { writeDurably } from './write-durably.ts';

const MODULE = new URL('./write-durably.ts', import.meta.url).href;

describe('writing a file durably', () => {
  test('a file that only its owner can read replaces the old one, and nothing else is left', async () => {
    using folder = tempFolder();
    const path = folder.file('token');
    writeFileSync(path, 'the old one', { mode: 0o644 });
    await writeDurably(path, 'the new one');
    assert.equal(readFileSync(path, 'utf8'), 'the new one');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder.path), ['token']);
  });

  test('a file that cannot be replaced leaves nothing behind', async () => {
    using folder = tempFolder();
    const path = folder.file('token/taken');
    await assert.rejects(writeDurably(path, 'text'), { code: 'ENOENT' });
    assert.deepEqual(readdirSync(folder.path), []);
  });

  test('the content is on disk before the name, and the name before the answer', (t) => {
    using folder = tempFolder();
    const path = folder.file('token');
    const trace = folder.file('trace');
    const script = `const { writeDurably } = await import('${MODULE}');
      await writeDurably('${path}', 'text');`;
    const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2';
    const strace = ['-f', '-qq', '-y', '-o', trace, '-e', calls];
    const node = [process.execPath, '--input-type=module', '-e', script];
    const { error, status } = spawnSync('strace', [...strace, ...node]);
    if (error) return t.skip('strace is not installed');
    assert.equal(status, 0);
    const seen = readFileSync(trace, 'utf8')
      .split('\n')
      .filter((line) => line.includes(folder.path))
      .map((line) => line.replace(/^\d+ +/, '').replaceAll(folder.path, 'FOLDER'))
      .map((line) => /^(\w+)\(\d*<?"?([^>"]*)/.exec(line) ?? [])
      .map(([, call, target = '']) => `${call} ${target.replace(/token\..*part/, 'token.part')}`);
    assert.deepEqual(seen, ['fsync FOLDER/token.part', 'rename FOLDER/token.part', 'fsync FOLDER']);
  });
});
