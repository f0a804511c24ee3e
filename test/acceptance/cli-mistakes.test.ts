import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HallInProcess } from '../support/hall-in-process.ts';
import { HallProcess } from '../support/hall-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Ended, guildhall, onlyGit } from './cli-command.ts';

let hall: HallInProcess;
before(async () => {
  hall = await HallInProcess.start({ projects: { shop: 5 } });
});
after(() => hall[Symbol.asyncDispose]());

function on(...args: string[]): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

describe('mistakes on the command line', () => {
  test('every error begins with guildhall:, and a wrong command or option names the help', async () => {
    for (const [args, message] of [
      [['tsak'], "unknown command 'tsak'\n(Did you mean task?)"],
      [['board', '--ta'], "unknown option '--ta'"],
      [['task', 'show'], "missing required argument 'task'"],
    ] as const) {
      const { code, stderr } = await guildhall(args, { cwd: hall.folder });
      assert.equal(code, 2);
      assert.ok(stderr.startsWith(`guildhall: ${message}`), stderr);
      assert.match(stderr, /\nsee: .*guildhall\S* help\n$/);
    }
  });

  test('an option in place of the verb of a noun is answered with the verbs', async () => {
    const { code, stderr } = await guildhall(['agents', '--config', hall.config], { cwd: '/' });
    assert.equal(code, 2);
    assert.equal(
      stderr,
      'guildhall: agents needs a command before --config: list, pause, resume\n',
    );
  });

  test('a wrong address is told once, by the option that was typed', async () => {
    const { code, stderr } = await guildhall(['start', '--listen', 'foo'], { cwd: hall.folder });
    assert.equal(code, 2);
    assert.equal(stderr.split('must be host:port').length, 2, stderr);
    assert.match(stderr, /--listen/);
  });

  test('a negative number is refused with the numbers that are allowed', async () => {
    const { code, stderr } = await on('project', 'edit', 'shop', '--max-workers', '-1');
    assert.equal(code, 2);
    assert.match(stderr, /^guildhall: --max-workers must be a whole number, 0 or more/);
  });

  test('backup and export refuse to create the folder of their file, and a folder in its place', async () => {
    for (const command of [['backup'], ['export', '--output']]) {
      const missing = await on(...command, 'none/copy');
      const folder = join(hall.folder, 'none');
      assert.equal(missing.code, 2);
      assert.ok(missing.stderr.includes(`create it with: mkdir -p ${folder}\n`), missing.stderr);
      assert.ok(!existsSync(folder));
      const wrong = await on(...command, hall.folder);
      assert.match(wrong.stderr, /is a folder; name a file in it/);
    }
  });

  test('faults of files are told in a sentence, without the codes of the system', async () => {
    for (const [args, message] of [
      [['restore', 'none.db'], /^guildhall: .*none\.db does not exist\ncheck the path\n$/],
      [['import', hall.folder, '--data', 'copy'], /^guildhall: .* is a folder, not a file\n/],
      [['task', 'add', '--file', 'none.yaml'], /^guildhall: none\.yaml does not exist\n/],
      [['task', 'add', '--file', hall.folder], /^guildhall: .* is a folder, not a file\n/],
    ] as const) {
      const { code, stderr } = await on(...args);
      assert.notEqual(code, 0);
      assert.match(stderr, message);
    }
  });

  test('resume says so where nothing was paused', async () => {
    assert.equal((await on('resume')).stdout, 'the hall was not paused\n');
    assert.equal((await on('project', 'resume', 'shop')).stdout, 'shop was not paused\n');
    assert.equal(
      (await on('agents', 'resume', 'dev-default')).stdout,
      'dev-default was not paused\n',
    );
    await on('pause');
    assert.equal((await on('resume')).stdout, 'resumed the hall\n');
    await on('project', 'pause', 'shop');
    assert.equal((await on('project', 'resume', 'shop')).stdout, 'resumed shop\n');
  });

  test('doctor reports a broken configuration once and skips what needs it', async () => {
    using folder = tempFolder();
    writeFileSync(folder.file('guildhall.yaml'), 'hall: { lisen: 1 }\n');
    const environment = onlyGit(folder.path);
    const { code, stdout } = await guildhall(['doctor'], { cwd: folder.path, environment });
    assert.equal(code, 1);
    assert.deepEqual(stdout.match(/^fail {2}\w+/gm), ['fail  config']);
    assert.match(stdout, /^skip {2}store {7}needs a configuration without mistakes$/m);
  });
});

test('stop ends the hall of a data folder and waits for it, and fails where none is running', async () => {
  await using own = await HallProcess.start();
  const stop = () => guildhall(['stop', '--config', own.config], { cwd: own.folder });
  const { code, stdout, stderr } = await stop();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^process \d+ is stopping; it waits up to \d+ s for active requests$/m);
  assert.match(stdout, /^stopped the hall on /);
  const again = await stop();
  assert.equal(again.code, 1);
  assert.match(again.stderr, /no hall is running on /);
});
