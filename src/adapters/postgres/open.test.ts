import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../test/support/hall-fixture.ts';
import { NodesOnPostgres, serverForFile } from '../../../test/support/postgres-nodes.ts';
import { StoreWriter } from '../../../test/support/store-writer.ts';
import { startProxy } from '../../../test/support/tcp-proxy.ts';
import { StoreUnavailable } from '../../ports/store.ts';
import { wholeNumber } from './settings.ts';

const server = await serverForFile();
const [url, skip] = 'missing' in server ? ['', server.missing] : [server.url, false];

describe('opening a hall on PostgreSQL', { skip }, () => {
  test('nodes that start at the same moment create the PostgreSQL tables once', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    await Promise.all(Array.from({ length: 8 }, () => nodes.open()));
    assert.deepEqual(await nodes.ask('SELECT count(*)::int FROM head'), [[1]]);
  });

  test('a node on PostgreSQL finds what an earlier node wrote', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const writer = new StoreWriter().settle();
    await writer.write((await nodes.open()).store);
    assert.deepEqual(await (await nodes.open()).store.head(), writer.head);
  });

  test('a PostgreSQL database of a newer version is refused', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    await nodes.open();
    await nodes.ask("UPDATE meta SET value = '9999' WHERE key = 'schema'");
    await assert.rejects(nodes.open(), { name: 'SchemaAhead', message: /version 9999/ });
  });

  test('a PostgreSQL database that does not exist is reported at once', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const nowhere = new URL(nodes.url);
    nowhere.pathname = '/nowhere';
    await assert.rejects(nodes.open({ url: nowhere.href }), {
      name: 'StoreFailed',
      message: /^could not migrate the tables after \d+ ms: database "nowhere" does not exist$/,
    });
  });

  test('a hall on PostgreSQL needs no privileges beyond its own tables', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const role = `hall_${process.pid}`;
    await nodes.ask(`CREATE ROLE ${role} LOGIN`);
    await nodes.ask(`GRANT CREATE ON SCHEMA public TO ${role}`);
    const plain = new URL(nodes.url);
    plain.username = role;
    const { store, leadership } = await nodes.open({ url: plain.href });
    const epoch = await leadership.takeOver(await leadership.look(), 'http://plain');
    await new StoreWriter(epoch).settle().write(store);
    await nodes.ask(`DROP OWNED BY ${role}`);
    await nodes.ask(`DROP ROLE ${role}`);
  });
});

describe('the connections of a hall on PostgreSQL', { skip }, () => {
  test('writes to PostgreSQL are durable, whatever the settings of the database', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    await nodes.ask(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`,
    );
    const { store } = await nodes.open();
    await nodes.ask(`CREATE FUNCTION note_setting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO meta VALUES ('commit', current_setting('synchronous_commit')); RETURN NULL; END $$`);
    await nodes.ask(
      'CREATE TRIGGER seen AFTER UPDATE ON head FOR EACH ROW EXECUTE FUNCTION note_setting()',
    );
    await new StoreWriter().settle().write(store);
    assert.deepEqual(await nodes.ask("SELECT value FROM meta WHERE key = 'commit'"), [['on']]);
  });

  test('a read from a silent PostgreSQL fails after its timeout', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    await using proxy = await startProxy(nodes.url);
    const patience = { connect: 1_000, answer: 1_000, read: 2_000 };
    const { store } = await nodes.open({ url: proxy.url, timeouts: patience });
    // A busy machine may need more than that, but not each time.
    const isRead = () =>
      store.head().then(
        ({ seq }) => seq === 0,
        (error) => !(error instanceof StoreUnavailable) && assert.fail(error),
      );
    await until('it is read', isRead);
    proxy.silent = true;
    await assert.rejects(store.head(), StoreUnavailable);
    proxy.silent = false;
    proxy.cutAll();
    await until('it is read again', isRead);
  });

  test('more reads than connections share the PostgreSQL pool', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const { store } = await nodes.open();
    const heads = await Promise.all(Array.from({ length: 50 }, () => store.head()));
    assert.equal(heads.length, 50);
  });

  test('a dump from PostgreSQL is a snapshot that later writes do not change', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const { store } = await nodes.open();
    const writer = new StoreWriter().settle();
    await writer.post(1).write(store);
    const tables: string[] = [];
    for await (const [table] of store.dump()) {
      if (tables.length === 0) await writer.post(3).write(store);
      tables.push(table);
    }
    assert.equal(tables.filter((table) => table === 'task').length, 1);
  });
});

describe('a number from PostgreSQL', () => {
  test('a number from PostgreSQL that JavaScript cannot represent is refused', () => {
    assert.equal(wholeNumber('9007199254740991'), Number.MAX_SAFE_INTEGER);
    assert.throws(() => wholeNumber('9007199254740993'), /holds 9007199254740993/);
  });
});
