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

  test('X-002b: doctor lists its findings and names the fix for a readable token file', async () => {
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
      'personas',
      'repos',
      'data',
      'disk',
      'store',
      'token',
      'secrets',
      'hall',
      'forges',
      'clock',
    ]);
  });

  test('X-002b: doctor fails a project with isolation container where no container engine is installed', async () => {
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

  test('doctor fails a project with isolation container where DOCKER_HOST names another machine', async () => {
    const project = { name: 'shop', repo: null, isolation: 'container' };
    writeFileSync(join(cwd, 'guildhall.yaml'), JSON.stringify({ projects: [project] }));
    mkdirSync(join(cwd, 'bin'));
    writeFileSync(join(cwd, 'bin/docker'), '#!/bin/sh\n', { mode: 0o755 });
    const environment = { PATH: join(cwd, 'bin'), DOCKER_HOST: 'tcp://10.0.0.7:2375' };
    const { code, stdout } = await guildhall(['doctor', '--json'], { cwd, environment });
    const found: readonly Finding[] = JSON.parse(stdout).findings;
    const containers = found.find(({ name }) => name === 'containers');
    assert.deepEqual([code, containers?.health], [1, 'bad']);
    assert.match(containers?.says ?? '', /^DOCKER_HOST is tcp:.*own machine.*unset it$/);
  });

  test('doctor reports a damaged database and one that no hall made, with the command that restores a backup', async () => {
    mkdirSync(join(cwd, 'data'));
    const file = join(cwd, 'data', 'hall.db');
    writeFileSync(file, 'nothing of SQLite');
    const junk = await findings();
    assert.deepEqual([junk.code, junk.of('store')?.health], [1, 'bad']);
    assert.match(junk.of('store')?.says ?? '', /hall\.db cannot be used: file is not a database/);
    assert.match(junk.of('store')?.fix ?? '', /restore a backup with: .* restore FILE/);

    rmSync(file);
    new Database(file).exec('CREATE TABLE a (b)').close();
    assert.match((await findings()).of('store')?.says ?? '', /is not the database of a hall/);
  });

  test('doctor reports whether PostgreSQL answers', async (t) => {
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

  test('doctor reports a data folder that is a file, and finds no hall behind a broken hall.json', async () => {
    writeFileSync(join(cwd, 'data'), '');
    assert.match((await findings()).of('data')?.says ?? '', /data is not a folder/);
    rmSync(join(cwd, 'data'));
    mkdirSync(join(cwd, 'data'));
    writeFileSync(join(cwd, 'data', 'hall.json'), '{ half');
    const { of } = await findings();
    assert.deepEqual([of('hall')?.health, of('clock')?.health], ['odd', 'good']);
    assert.match(of('hall')?.says ?? '', /no hall is running on/);
  });

  test('doctor and start warn about a data folder that other accounts can read', async () => {
    const data = join(cwd, 'data');
    mkdirSync(data);
    chmodSync(data, 0o755);
    const { of } = await findings();
    assert.equal(of('data')?.health, 'odd');
    assert.match(of('data')?.says ?? '', /other accounts can access it/);
    assert.equal(of('data')?.fix, `chmod 700 ${data}`);

    const started = begun(['start', '--listen', '127.0.0.1:0'], { cwd });
    await until('the hall is open', () => started.stdout().includes('hall started'));
    started.signal('SIGTERM');
    await started.ended;
    assert.match(started.stdout(), /"level":"warn".*other accounts can access the data folder/);

    chmodSync(data, 0o700);
    assert.equal((await findings()).of('data')?.health, 'good');
  });

  test('doctor prints each mistake in the configuration once', async () => {
    writeFileSync(join(cwd, 'guildhall.yaml'), 'hall:\n  lisen: x\n  stor: y\n');
    const { code, stdout } = await guildhall(['doctor'], { cwd, environment: onlyGit(cwd) });
    assert.equal(code, 1);
    assert.equal(stdout.match(/hall\.lisen/g)?.length, 1);
    assert.match(stdout, /\n {18}guildhall\.yaml:3:3 hall\.stor/, 'under the first');
    assert.match(stdout, /skip {2}store {7}needs a configuration without mistakes/);
  });
});
