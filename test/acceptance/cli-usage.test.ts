import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ROOT } from '../support/tree.ts';
import { type Ended, guildhall } from './cli-command.ts';

let cwd = '';
before(() => {
  cwd = mkdtempSync(join(tmpdir(), 'hall-'));
});
after(() => rmSync(cwd, { recursive: true }));

function type(...args: string[]): Promise<Ended> {
  return guildhall(args, { cwd });
}

describe('help and version', () => {
  test('help for a command can be requested before or after its name', async () => {
    const [before, behind] = [await type('help', 'task', 'add'), await type('task', 'add', '-h')];
    assert.equal(before.code, 0);
    assert.match(before.stdout, /^Usage: guildhall task add /);
    assert.equal(before.stdout, behind.stdout);
    assert.match((await type('help', 'task')).stdout, /^Usage: guildhall task /);
    const none = await type('help', 'task', 'ad');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /there is no command 'task ad'/);
  });

  test('the version is printed by a command and by an option', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.equal((await type('--version')).stdout, `${version}\n`);
    assert.ok((await type('version')).stdout.startsWith(`guildhall ${version}, Node `));
    assert.equal(JSON.parse((await type('version', '--json')).stdout).version, version);
  });
});

describe('the address of a hall', () => {
  test('the address of a hall without http:// is refused as invalid usage in --url, --hall and $GUILDHALL_URL', async () => {
    const tries = [
      await type('board', '--url', '127.0.0.1:4600'),
      await type('worker', 'run', '--hall', 'localhost:4600', '--token', 'x'),
      await guildhall(['board'], { cwd, environment: { GUILDHALL_URL: 'localhost' } }),
    ];
    for (const { code, stderr } of tries) {
      assert.equal(code, 2);
      assert.match(
        stderr,
        /is not the address of a hall: it must begin with http:\/\/ or https:\/\//,
      );
    }
  });
});

describe('--json', () => {
  test('X-010c: --json is accepted before the command', async () => {
    const { code, stdout } = await type('--json', 'completion', 'bash');
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).shell, 'bash');
  });

  for (const [args, expected] of [
    [['--json'], /missing command/],
    [['task', '--json'], /missing command/],
    [['tsak', '--json'], /unknown command 'tsak'\n\(Did you mean task\?\)/],
    [['--json', 'task', 'add', '--size'], /argument missing/],
    [['help', 'nothing', '--json'], /there is no command 'nothing'/],
  ] as const) {
    test(`X-010c: with --json, the mistake in "${args.join(' ')}" is one object on stderr`, async () => {
      const { code, stdout, stderr } = await type(...args);
      assert.deepEqual([code, stdout], [2, '']);
      const { error } = JSON.parse(stderr);
      assert.deepEqual([error.code, error.exit], ['invalid_usage', 2]);
      assert.match(error.message, expected);
    });
  }
});
