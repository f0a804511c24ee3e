import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/hall-fixture.ts';
import { withPostgres } from '../support/postgres-part.ts';
import { begun, guildhall, onlyGit } from './cli-command.ts';

interface Finding {
  readonly name: string;
  readonly health: string;
  readonly says: string;
  readonly fix: string | null;
}

describe('guildhall doctor', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'hall-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  async function findings() {
    const environment = onlyGit(cwd);
    const { code, stdout, stderr } = await guildhall(['doctor', '--json'], { cwd, environment });
    assert.equal(stderr, '');
    const found: readonly Finding[] = JSON.parse(stdout).findings;
    return { code, of: (name: string) => found.find((each) => each.name === name) };
  }

  test('X-002b: doctor names what is wrong and the fix', async () => {
    mkdirSync(join(cwd, 'data'));
    writeFileSync(join(cwd, 'data', 'token'), 'abc', { mode: 0o644 });
    const { code, stdout } = await guildhall(['doctor', '--json'], { cwd });
    const { ok, findings } = JSON.parse(stdout);
    const token = findings.find((finding: { name: string }) => finding.name === 'token');
    assert.equal(code, 1);
    assert.equal(ok, false);
    assert.equal(token.health, 'bad');
    assert.match(token.fix, /^chmod 600 /);
    const names = findings.map((finding: { name: string }) => finding.name);
    assert.deepEqual(names, [
      'node',
      'git',
      'config',
      'cells',
      'containers',
      'agents',
      'repos',
      'data',
      'disk',
      'store',
      'token',
      'hall',
      'clock',
    ]);
  });

  test('X-002b: a project that asks for containers where none can be built is told', async () => {
    const project = { name: 'shop', repo: null, isolation: 'container' };
    const file = { projects: [project] };
    writeFileSync(join(cwd, 'guildhall.yaml'), JSON.stringify(file));
    mkdirSync(join(cwd, 'bin'));
    const environment = { PATH: join(cwd, 'bin') };
    const { code, stdout } = await guildhall(['doctor', '--json'], { cwd, environment });
    const found: readonly Finding[] = JSON.parse(stdout).findings;
    const containers = found.find(({ name }) => name === 'containers');
    assert.deepEqual([code, containers?.health], [1, 'bad']);
    assert.match(containers?.says ?? '', /neither podman nor docker is on the PATH.*apt install/);
  });

  test('a database that is damaged or not a hall’s is told, with the way to put a backup back', async () => {
    mkdirSync(join(cwd, 'data'));
    const file = join(cwd, 'data', 'hall.db');
    writeFileSync(file, 'nothing of SQLite');
    const junk = await findings();
    assert.deepEqual([junk.code, junk.of('store')?.health], [1, 'bad']);
    assert.match(junk.of('store')?.says ?? '', /hall\.db cannot be used: file is not a database/);
    assert.match(junk.of('store')?.fix ?? '', /restore FILE" puts a backup in its place/);

    rmSync(file);
    new Database(file).exec('CREATE TABLE a (b)').close();
    assert.match((await findings()).of('store')?.says ?? '', /is not the database of a hall/);
  });

  test('a PostgreSQL that answers is told from one that does not', async (t) => {
    const file = join(cwd, 'guildhall.yaml');
    writeFileSync(file, `hall: { store: "postgres://hall@127.0.0.1:${await freePort()}/hall" }\n`);
    const away = (await findings()).of('store');
    assert.equal(away?.health, 'bad');
    assert.match(away?.says ?? '', /ECONNREFUSED/);
    assert.match(away?.fix ?? '', /hall\.store/);
    await withPostgres(t, async (url) => {
      writeFileSync(file, `hall: { store: ${JSON.stringify(url)} }\n`);
      assert.match((await findings()).of('store')?.says ?? '', /^PostgreSQL \d\S* answers$/);
    });
  });

  test('a file where the data folder should be, and a file of a hall that is none, are told', async () => {
    writeFileSync(join(cwd, 'data'), '');
    assert.match((await findings()).of('data')?.says ?? '', /data is not a folder/);
    rmSync(join(cwd, 'data'));
    mkdirSync(join(cwd, 'data'));
    writeFileSync(join(cwd, 'data', 'hall.json'), '{ half');
    const { of } = await findings();
    assert.deepEqual([of('hall')?.health, of('clock')?.health], ['odd', 'good']);
    assert.match(of('hall')?.says ?? '', /no hall runs on/);
  });

  test('a data folder that other accounts may look into is told, by a start too', async () => {
    const data = join(cwd, 'data');
    mkdirSync(data);
    chmodSync(data, 0o755);
    const { of } = await findings();
    assert.equal(of('data')?.health, 'odd');
    assert.match(of('data')?.says ?? '', /other accounts may look into it/);
    assert.equal(of('data')?.fix, `chmod 700 ${data}`);

    const started = begun(['start', '--listen', '127.0.0.1:0'], { cwd });
    await until('the hall is open', () => started.stdout().includes('hall started'));
    started.signal('SIGTERM');
    await started.ended;
    assert.match(started.stdout(), /"level":"warn".*other accounts may look into the data folder/);

    chmodSync(data, 0o700);
    assert.equal((await findings()).of('data')?.health, 'good');
  });

  test('mistakes of the configuration are told once', async () => {
    writeFileSync(join(cwd, 'guildhall.yaml'), 'hall:\n  lisen: x\n  stor: y\n');
    const { code, stdout } = await guildhall(['doctor'], { cwd, environment: onlyGit(cwd) });
    assert.equal(code, 1);
    assert.equal(stdout.match(/hall\.lisen/g)?.length, 1);
    assert.match(stdout, /\n {18}guildhall\.yaml:3:3 hall\.stor/, 'under the first');
    assert.match(stdout, /fail {2}store {7}not looked at: the configuration has mistakes/);
  });
});
