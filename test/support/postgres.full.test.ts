import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase, type PostgresServer, startPostgres } from './postgres.ts';
import { installedPostgres, type PostgresBinaries } from './postgres-binaries.ts';

const first = await startPostgres();
const missing = 'missing' in first ? first.missing : false;
after(() => ('missing' in first ? undefined : first.stop()));

describe('a temporary PostgreSQL', { skip: missing }, () => {
  let server: PostgresServer;

  before(async () => {
    server = await start();
  });
  after(() => server.stop());

  it('a temporary PostgreSQL syncs to disk, allows many sessions and listens on loopback only', async () => {
    assert.deepEqual(
      await Promise.all(
        ['fsync', 'max_connections', 'listen_addresses', 'unix_socket_directories'].map((name) =>
          show(server.url, name),
        ),
      ),
      ['on', '200', '127.0.0.1', ''],
    );
  });

  it('a temporary PostgreSQL gives each suite a database that can be dropped while sessions are open', async () => {
    const database = await createDatabase(server.url);
    const session = new pg.Client({ connectionString: database.url });
    session.on('error', () => undefined);
    await session.connect();

    await database.drop();

    await assert.rejects(value(database.url, 'SELECT 1'), { code: '3D000' });
  });

  for (const mode of ['fast', 'immediate', 'crash'] as const) {
    it(`a temporary PostgreSQL keeps committed data over a restart (${mode})`, async () => {
      const database = await createDatabase(server.url);
      await value(database.url, 'CREATE TABLE kept AS SELECT 41 AS answer');
      const before = server.pid;

      await server.restart(mode);

      assert.notEqual(server.pid, before);
      assert.equal(await value(database.url, 'SELECT answer FROM kept'), 41);
      await database.drop();
    });
  }
});

describe('the end of a temporary PostgreSQL', { skip: missing }, () => {
  it('a stopped temporary PostgreSQL leaves neither process nor folder behind', async () => {
    const server = await start();
    const { pid } = server;

    await server.stop();

    assert.equal(isAlive(pid), false);
    assert.equal(existsSync(dirname(server.dataDir)), false);
  });

  it('a temporary PostgreSQL stops when the process that started it is killed', async () => {
    const script = `
      import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
      const { pid, dataDir } = await startPostgres();
      console.log(JSON.stringify({ pid, dataDir }));
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    const [line] = await once(parent.stdout, 'data');
    const { pid, dataDir } = JSON.parse(String(line));
    assert.equal(isAlive(pid), true);

    parent.kill('SIGKILL');

    await until(() => !isAlive(pid) && !existsSync(dirname(dataDir)));
  });
});

describe('where PostgreSQL comes from', () => {
  const installed = installedPostgres();

  it('an installed PostgreSQL can be used', {
    skip: installed ? false : 'none is installed',
  }, async () => {
    const server = await start(installed ? [installed] : []);
    assert.match(String(await value(server.url, 'SELECT version()')), /^PostgreSQL/);
    await server.stop();
  });

  it('a machine without PostgreSQL is reported as missing, without an exception', async () => {
    assert.match(missingOf(await startPostgres([])), /^no PostgreSQL is installed/);
  });

  it('a PostgreSQL that cannot be started is reported as missing with the reason', async () => {
    const broken = { from: 'a broken package', place: async () => '/nowhere' };
    assert.match(missingOf(await startPostgres([broken])), /^a broken package: .*initdb ENOENT$/);
  });
});

async function start(candidates?: PostgresBinaries[]): Promise<PostgresServer> {
  const server = await startPostgres(candidates);
  if ('missing' in server) throw new Error(server.missing);
  return server;
}

function missingOf(answer: PostgresServer | { missing: string }): string {
  return 'missing' in answer ? answer.missing : 'it was started';
}

async function show(url: string, name: string): Promise<unknown> {
  return value(url, `SELECT current_setting('${name}')`);
}

async function value(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: query, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 120_000;
  while (!isTrue()) {
    assert.ok(performance.now() < end, `not so within 120 s: ${isTrue}`);
    await wait(20);
  }
}
