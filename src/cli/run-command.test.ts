import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { runInProcess } from '../../test/support/command-in-process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

async function ended(args: readonly string[], around: Parameters<typeof runInProcess>[1]) {
  const command = runInProcess(args, around);
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() };
}

describe('commands', () => {
  it('commands in one process, each in its own folder, do not affect each other', async () => {
    using folder = tempFolder();
    const names = ['shop', 'bank', 'mill'];
    const checks = names.map((name) => {
      mkdirSync(folder.file(name));
      writeFileSync(folder.file(`${name}/guildhall.yaml`), 'hall: { data: $NAME }\n');
      const around = { cwd: folder.file(name), environment: { NAME: name } };
      return ended(['config', 'show'], around);
    });
    for (const [at, { code, stderr }] of (await Promise.all(checks)).entries()) {
      assert.equal(code, 0);
      assert.ok(stderr.includes(`data in ${folder.file(`${names[at]}/${names[at]}`)}\n`), stderr);
    }
  });

  it('a file named by a variable is resolved against the folder of the command', async () => {
    using folder = tempFolder();
    writeFileSync(folder.file('listen'), 'nonsense\n');
    const environment = { GUILDHALL_LISTEN_FILE: 'listen' };
    const { code, stderr } = await ended(['config', 'check'], { cwd: folder.path, environment });
    assert.equal(code, 2);
    assert.match(stderr, /GUILDHALL_LISTEN_FILE hall\.listen: must be /);
  });

  it('a command writes help and mistakes to its own streams', async () => {
    const around = { cwd: '/', environment: {} };
    const [help, mistake] = await Promise.all([ended(['--help'], around), ended(['tsak'], around)]);
    assert.deepEqual([help.code, help.stderr], [0, '']);
    assert.match(help.stdout, /^Usage: guildhall /);
    assert.deepEqual([mistake.code, mistake.stdout], [2, '']);
    assert.match(mistake.stderr, /unknown command 'tsak'/);
  });
});
