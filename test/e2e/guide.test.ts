import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HallProcess } from '../support/hall-process.ts';

const PAGE = fileURLToPath(new URL('../../docs/guide/first-steps.md', import.meta.url));
const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

/** The commands a reader types, in order. */
function commandsOn(page: string): string {
  const blocks = readFileSync(page, 'utf8').matchAll(/```sh run\n([\s\S]*?)```/g);
  return [...blocks].map(([, block]) => block).join('\n');
}

test('the commands on the first-steps page work as written', async () => {
  await using hall = await HallProcess.start();
  const tools = join(hall.folder, 'tools');
  mkdirSync(tools);
  const start = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  writeFileSync(join(tools, 'guildhall'), start, { mode: 0o755 });
  const script = commandsOn(PAGE).replaceAll('http://127.0.0.1:4600', hall.url);
  const path = [tools, dirname(process.execPath), process.env['PATH']].join(delimiter);

  const { status, stdout, stderr } = spawnSync('bash', ['-eu', '-c', script], {
    cwd: hall.folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, GUILDHALL_CONFIG: hall.config },
  });

  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /no_worker/);
  assert.match(stdout, /working on Say hello/);
  assert.match(stdout, /said hello/);
});
