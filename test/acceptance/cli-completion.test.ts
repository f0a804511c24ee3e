import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { HallInProcess } from '../support/hall-in-process.ts';
import { BIN } from '../support/hall-process.ts';
import { guildhall } from './cli-command.ts';

const run = promisify(execFile);

let hall: HallInProcess;
let task = '';
before(async () => {
  hall = await HallInProcess.start({ projects: { shop: 5, bank: 5 } });
  const { body } = await hall.caller().post('/v1/tasks', [{ project: 'shop', title: 'it' }]);
  task = body.tasks[0].id;
  const bin = join(hall.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'guildhall'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(join(bin, 'guildhall'), 0o755);
});
after(() => hall[Symbol.asyncDispose]());

/** What bash offers after a line; the last word is the one being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await guildhall(['completion', 'bash'], { cwd: hall.folder });
  const line = ['guildhall', ...words];
  const typed = line.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${line.length - 1}; COMP_LINE='${line.join(' ')}'
_guildhall; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const PATH = `${join(hall.folder, 'bin')}:${process.env['PATH']}`;
  const { stdout } = await run('bash', ['-c', `${script}\n${ask}`], { env: { PATH } });
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash completes commands, options and task states without a hall', async () => {
  assert.deepEqual(await offered('task', 'ca'), ['cancel']);
  assert.ok((await offered('task', 'show', '--pr')).includes('--prompt'));
  assert.deepEqual(await offered('task', 'list', '--state', 'awaiting_'), [
    'awaiting_approval',
    'awaiting_input',
  ]);
});

test('bash completes the task ids and project names of the hall that the line names', async () => {
  const at = ['--config', hall.config];
  assert.deepEqual(await offered('task', 'show', ...at, ''), [task]);
  assert.deepEqual(await offered('task', 'add', ...at, '--project', ''), ['shop', 'bank']);
  assert.deepEqual(
    await offered('project', 'add', ...at, 's'),
    [],
    'a new name is not one of them',
  );
});
