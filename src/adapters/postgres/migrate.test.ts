import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadEarlierDump } from '../../../test/support/earlier-hall.ts';
import { NodesOnPostgres, serverForFile } from '../../../test/support/postgres-nodes.ts';
import { StoreWriter } from '../../../test/support/store-writer.ts';
import { startProxy } from '../../../test/support/tcp-proxy.ts';
import { verifyTables } from '../../../test/support/verify-tables.ts';
import { createMemoryTables } from '../memory/tables.ts';
import { SCHEMA, versionOf } from '../sql/schema-version.ts';

const server = await serverForFile();
const [url, skip] = 'missing' in server ? ['', server.missing] : [server.url, false];

/** How a node of version 2 writes, without the rows. */
const APPEND_OF_VERSION_2 = `UPDATE head SET seq = seq + 1, turn = turn + 1, beat = beat + 1
  WHERE turn = (SELECT max(turn) FROM head) AND epoch = (SELECT max(epoch) FROM head)`;

const SHAPE = `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`;

async function earlier(): Promise<NodesOnPostgres> {
  const nodes = await NodesOnPostgres.on(url);
  await loadEarlierDump(nodes.url);
  return nodes;
}

describe('a migration on PostgreSQL', { skip }, () => {
  test('a migration on PostgreSQL gives the previous version the tables of a fresh database and keeps its data', async () => {
    await using nodes = await earlier();
    await using fresh = await NodesOnPostgres.on(url);
    const { store } = await nodes.open();
    await fresh.open();
    assert.deepEqual(await nodes.ask(SHAPE), await fresh.ask(SHAPE));
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
  });

  test('X-021a: a migration on PostgreSQL ends the term of a node of the previous release, which can no longer write', async () => {
    await using nodes = await earlier();
    const takeOver =
      "UPDATE head SET epoch = epoch + 1, url = 'http://earlier' RETURNING epoch, seq";
    const [[epoch, seq] = []] = await nodes.ask(takeOver);
    const { leadership, store } = await nodes.open();

    const leader = await leadership.look();
    assert.deepEqual([leader.epoch, leader.url], [Number(epoch) + 1, '']);
    const terms = await nodes.ask('SELECT epoch, url, holder FROM leader_term ORDER BY epoch');
    assert.deepEqual(terms.at(-1)?.slice(1), ['', `schema ${versionOf(SCHEMA)}`]);
    await assert.rejects(nodes.ask(APPEND_OF_VERSION_2), /column "turn" does not exist/);
    assert.equal((await store.head()).seq, Number(seq));

    const next = await leadership.takeOver(leader, 'http://present');
    assert.equal(next, leader.epoch + 1);
  });

  for (const [what, change] of [
    ['an unrelated table', 'SELECT 1'],
    ['the table of the heartbeats', 'ALTER TABLE head RENAME COLUMN heartbeat TO pulse'],
  ]) {
    test(`a running node refuses a PostgreSQL database in which a newer version changed ${what}`, async () => {
      await using nodes = await NodesOnPostgres.on(url);
      const { leadership } = await nodes.open();
      const epoch = await leadership.takeOver(await leadership.look(), 'http://earlier');
      await nodes.ask(String(change));
      await nodes.ask("UPDATE meta SET value = '9999' WHERE key = 'schema'");
      await nodes.ask('UPDATE head SET epoch = epoch + 1');
      const refused = { name: 'SchemaAhead', message: /has schema version 9999, but this hall/ };
      await assert.rejects(leadership.look(), refused);
      await assert.rejects(leadership.heartbeat(Number(epoch)), refused);
    });
  }

  test('opening an up-to-date PostgreSQL database does not end the term', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const first = await nodes.open();
    const epoch = await first.leadership.takeOver(await first.leadership.look(), 'http://first');
    const second = await nodes.open();
    assert.equal((await second.leadership.look()).epoch, epoch);
    await new StoreWriter(epoch).settle().write(first.store);
  });

  test('X-021a: an interrupted migration on PostgreSQL leaves the old tables, and the next start completes it', async () => {
    await using nodes = await earlier();
    await using proxy = await startProxy(nodes.url);
    const before = await nodes.ask(SHAPE);
    let cuts = 0;
    proxy.meddle = (piece) => {
      if (!piece.includes('leader_term')) return 'pass';
      cuts += 1;
      return 'cut';
    };
    const patience = { open: 1 };
    await assert.rejects(nodes.open({ url: proxy.url, timeouts: patience }), {
      name: 'StoreFailed',
    });
    assert.ok(cuts > 0);
    assert.deepEqual(await nodes.ask(SHAPE), before);

    const { store } = await nodes.open();
    assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
  });
});
