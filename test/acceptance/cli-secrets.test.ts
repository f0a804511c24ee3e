import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { parseKeys } from '../../src/adapters/secrets/parse-keys.ts';
import { openWith } from '../../src/board/open-secrets.ts';
import { HallFixture, type Json, until } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { guildhall, onlyGit } from './cli-command.ts';

interface Typed {
  readonly input?: string;
  readonly isTerminal?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

function on(hall: HallInProcess, args: readonly string[], typed: Typed = {}) {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder, ...typed });
}

async function json(hall: HallInProcess, ...args: readonly string[]): Promise<Json> {
  const { code, stdout, stderr } = await on(hall, [...args, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

function keyOf({ folder }: HallInProcess): string {
  return join(folder, 'hall.key');
}

/** Decrypts a value with the key file and the database, as whoever has both can. */
function storedIn(hall: HallInProcess, name: string): string | undefined {
  const db = new Database(join(hall.folder, 'data', 'hall.db'), { readonly: true });
  const sealed = db.prepare('SELECT sealed FROM secret_value WHERE name = ?').pluck().get(name);
  db.close();
  const keys = parseKeys(readFileSync(keyOf(hall), 'utf8')) ?? [];
  return openWith(keys, name, String(sealed));
}

async function componentOf(hall: HallInProcess, name: string): Promise<Json> {
  using fixture = new HallFixture(hall);
  const { components } = await fixture.get('/v1/health');
  return components.find((each: Json) => each.name === name);
}

const ADA = { handle: 'ada', credential: 'secret:anthropic' };

describe('guildhall secrets', () => {
  let hall: HallInProcess;
  before(async () => {
    hall = await HallInProcess.start({ invokers: [ADA] });
  });
  after(() => hall[Symbol.asyncDispose]());

  test('a value is taken from standard input without its last line break, and is shown nowhere', async () => {
    const set = await on(hall, ['secrets', 'set', 'anthropic'], { input: 'sk-ant-one-12345\r\n' });
    assert.deepEqual([set.code, set.stdout], [0, 'stored anthropic (invoker_credential)\n']);
    const { secrets, key } = await json(hall, 'secrets', 'list');
    assert.equal(secrets[0].name, 'anthropic');
    assert.deepEqual(secrets[0].used_by, ['invoker ada (credential)']);
    assert.deepEqual(key, { place: keyOf(hall), says: null });
    const { stdout } = await on(hall, ['secrets', 'list']);
    assert.match(stdout, /^SECRET\s+KIND\s+SET\s+BY\s+VALUES\s+READABLE\s+USED BY\nanthropic /);
    assert.equal(statSync(keyOf(hall)).mode & 0o777, 0o600);
    assert.ok(!`${set.stderr}${stdout}${hall.output}`.includes('sk-ant-one'));
    assert.equal(storedIn(hall, 'anthropic'), 'sk-ant-one-12345');
  });

  test('doctor warns about a key file that other accounts can read', async () => {
    chmodSync(keyOf(hall), 0o640);
    const { stdout } = await on(hall, ['doctor', '--json'], { environment: onlyGit(hall.folder) });
    const { findings } = JSON.parse(stdout);
    const { says, fix } = findings.find(({ name }: Json) => name === 'secrets');
    assert.match(says, /hall\.key is accessible to other accounts/);
    assert.equal(fix, `chmod 600 ${keyOf(hall)}`);
    chmodSync(keyOf(hall), 0o600);
  });

  test('a value that is typed at a terminal is not echoed, and its corrections are heeded', async () => {
    const input = 'hunter-tvo\u007f\u007fwo-12\rnot part of it';
    const args = ['secrets', 'set', 'typed', '--kind', 'forge_token'];
    const { code, stdout, stderr } = await on(hall, args, { input, isTerminal: true });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Value of typed \(not shown\): \n/);
    assert.doesNotMatch(`${stdout}${stderr}`, /hunter/);
    assert.equal(storedIn(hall, 'typed'), 'hunter-two-12');
  });

  test('a private key that is pasted at a terminal is taken to its last line', async () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIE\nabc=\n-----END PRIVATE KEY-----';
    const args = ['secrets', 'set', 'app', '--kind', 'app_key', '--json'];
    const input = `${pem.replaceAll('\n', '\r')}\rls\r`;
    const { code, stderr } = await on(hall, args, { input, isTerminal: true });
    assert.equal(code, 0, stderr);
    assert.equal(storedIn(hall, 'app'), pem);
  });

  test('Ctrl-C at the prompt stores nothing', async () => {
    const args = ['secrets', 'set', 'never', '--kind', 'forge_token'];
    const { code } = await on(hall, args, { input: 'half-a-val\u0003', isTerminal: true });
    assert.equal(code, 130);
    const { secrets } = await json(hall, 'secrets', 'list');
    assert.ok(!secrets.some(({ name }: Json) => name === 'never'));
  });

  test('a value on the command line is refused and not repeated', async () => {
    const refused = await on(hall, ['secrets', 'set', 'anthropic', 'sk-ant-typed-by-mistake']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is not taken from the command line; pass it on standard input/);
    assert.doesNotMatch(refused.stderr, /by-mistake/);
  });

  test('an empty value, a short one and bytes that are no text are refused', async () => {
    const set = (input: string) => on(hall, ['secrets', 'set', 'anthropic'], { input });
    assert.match((await set('\n')).stderr, /there is no value/);
    assert.match((await set('short')).stderr, /value must have at least 8 characters/);
    assert.match((await set('x'.repeat(70_000))).stderr, /too long/);
    assert.equal((await set('short')).code, 2);
  });

  test('a secret is encrypted again and removed, and an unknown one is answered with where to look', async () => {
    const rotated = await json(hall, 'secrets', 'rotate');
    assert.ok(rotated.secrets.includes('anthropic'));
    const removed = await on(hall, ['secrets', 'remove', 'anthropic']);
    assert.equal(removed.stdout, 'removed anthropic\n');
    assert.match(removed.stderr, /still used by invoker ada \(credential\)/);
    const again = await on(hall, ['secrets', 'remove', 'anthropic']);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /there is no secret anthropic\nlist them with: .*secrets list/);
    const { code } = await on(hall, ['secrets', 'remove', 'typed', '--previous']);
    assert.equal(code, 1, 'it has none');
  });
});

describe('a hall whose key is missing or another one', () => {
  test('the hall starts without its key, says what is down and why, and works again without a restart when the key is back', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 1 }, invokers: [ADA] });
    await on(hall, ['secrets', 'set', 'anthropic'], { input: 'sk-ant-one-12345' });
    assert.equal((await componentOf(hall, 'invoker ada')).status, 'up');
    await hall.stop();
    const key = readFileSync(keyOf(hall), 'utf8');
    for (const wrong of [null, `${randomBytes(32).toString('base64')}\n`, 'no key at all\n']) {
      rmSync(keyOf(hall), { force: true });
      if (wrong !== null) writeFileSync(keyOf(hall), wrong, { mode: 0o600 });
      await hall.start();
      for (const name of ['secrets', 'invoker ada']) {
        const { status, says } = await componentOf(hall, name);
        assert.equal(status, 'down');
        assert.match(says, /hall\.key.*guildhall secrets set/s);
      }
      using fixture = new HallFixture(hall);
      const [task] = (await fixture.post('/v1/tasks', [{ project: 'shop', title: 'x' }])).tasks;
      await fixture.worker({ brings_model: false });
      const why = JSON.stringify(await fixture.get(`/v1/tasks/${task.id}/why`));
      assert.match(why, /ada cannot pay: its credential cannot be used: secret anthropic/);
      const refused = await on(hall, ['secrets', 'set', 'other', '--kind', 'forge_token'], {
        input: 'some-other-value',
      });
      assert.equal(refused.code, 3);
      const now = existsSync(keyOf(hall)) ? readFileSync(keyOf(hall), 'utf8') : null;
      assert.equal(now, wrong, 'nothing was overwritten');

      writeFileSync(keyOf(hall), key, { mode: 0o600 });
      hall.signal('SIGHUP');
      await until('the invoker can pay', async () => {
        const { invokers } = await fixture.get('/v1/invokers');
        return invokers[0].credential_fault === null;
      });
      assert.equal((await componentOf(hall, 'secrets')).status, 'up');
      await hall.stop();
    }
  });

  test('a command provides the key, and a rotation uses the new one that it prints first', async () => {
    await using hall = await HallInProcess.create({
      hall: { secrets_key: { command: ['cat', 'keys.txt'] } },
      invokers: [ADA],
    });
    const keys = [1, 2].map(() => randomBytes(32).toString('base64'));
    writeFileSync(join(hall.folder, 'keys.txt'), `${keys[0]}\n`);
    await hall.start();
    const set = await on(hall, ['secrets', 'set', 'anthropic'], { input: 'sk-ant-one-12345' });
    assert.equal(set.code, 0, set.stderr);
    const refused = await on(hall, ['secrets', 'rotate']);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /let it print the new key as its first line/);
    writeFileSync(join(hall.folder, 'keys.txt'), `${keys[1]}\n${keys[0]}\n`);
    assert.equal((await on(hall, ['secrets', 'rotate'])).code, 0);
    writeFileSync(join(hall.folder, 'keys.txt'), `${keys[1]}\n`);
    await hall.stop();
    await hall.start();
    assert.equal((await componentOf(hall, 'invoker ada')).status, 'up');
    assert.equal(existsSync(keyOf(hall)), false);
  });
});

describe('backups and exports of a hall with secrets', () => {
  test('a backup and an export hold the secrets encrypted and say so, and a restore without the key names those to enter again', async () => {
    await using hall = await HallInProcess.start({ invokers: [ADA] });
    for (const name of ['anthropic', 'hook']) {
      const args = ['secrets', 'set', name, '--kind', 'invoker_credential'];
      assert.equal((await on(hall, args, { input: `value-of-${name}` })).code, 0);
    }
    const [backup, log] = [join(hall.folder, 'hall.backup'), join(hall.folder, 'hall.ndjson')];
    const made = await on(hall, ['backup', backup]);
    const told = /2 secrets in it are encrypted; the key is not in it: keep a copy of \S+hall\.key/;
    assert.match(made.stderr, told);
    assert.match((await on(hall, ['export', '--output', log])).stderr, told);
    const exported = await json(hall, 'export', '--output', `${log}.2`);
    assert.deepEqual(exported.encrypted_secrets, ['anthropic', 'hook']);

    for (const [verb, file] of [
      ['restore', backup],
      ['import', log],
    ] as const) {
      await using other = await HallInProcess.create({ invokers: [ADA] });
      const bare = await on(other, [verb, file]);
      assert.equal(bare.code, 0, bare.stderr);
      assert.match(
        bare.stderr,
        /cannot be read with the key in \S+hall\.key: anthropic, hook; put/,
      );
      assert.match(bare.stderr, /enter them again with: .*secrets set .*anthropic --new-key/);
      await other.start();
      assert.equal((await componentOf(other, 'invoker ada')).status, 'down');
      const again = ['secrets', 'set', 'anthropic', '--new-key'];
      assert.equal((await on(other, again, { input: 'entered-again' })).code, 0);
      assert.equal((await componentOf(other, 'invoker ada')).status, 'up');
      assert.equal((await componentOf(other, 'secrets')).status, 'down', 'the other one is lost');
    }

    await using complete = await HallInProcess.create({ invokers: [ADA] });
    copyFileSync(keyOf(hall), keyOf(complete));
    assert.deepEqual((await json(complete, 'import', log)).unreadable_secrets, []);
    await complete.start();
    assert.equal((await componentOf(complete, 'invoker ada')).status, 'up');
    const { code } = await on(complete, ['audit', 'verify']);
    assert.equal(code, 0);
  });
});
