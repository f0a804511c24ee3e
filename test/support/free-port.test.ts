import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

test('processes that run at the same time never get the same ports', async () => {
  const own = Math.floor((await freePort()) / 100);
  const module = join(import.meta.dirname, 'free-port.ts');
  // The id of a process decides where it looks first, so a process is started that looks where this one did.
  const script = `
    Object.defineProperty(process, 'pid', { value: ${process.pid} });
    const { freePort } = await import(${JSON.stringify(module)});
    console.log(await freePort());`;
  const node = [process.execPath, ['--input-type=module', '-e', script]] as const;
  const { stdout } = await promisify(execFile)(...node);
  assert.notEqual(Math.floor(Number(stdout) / 100), own);
});
