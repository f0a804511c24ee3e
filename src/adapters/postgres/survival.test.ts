import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import {
  NodesOnPostgres,
  ownServerForFile,
  serverForFile,
} from '../../../test/support/postgres-nodes.ts';
import { StoreWriter } from '../../../test/support/store-writer.ts';
import { runsInTier, sizeInTier } from '../../../test/support/tier.ts';
import { verifyTables } from '../../../test/support/verify-tables.ts';
import type { Store } from '../../ports/store.ts';
import { createMemoryTables } from '../memory/tables.ts';

const ownServer = await ownServerForFile();
const skip = 'missing' in ownServer ? ownServer.missing : false;

const GROUPS = sizeInTier({ test: 200, full: 2_000 });

describe('a hall on PostgreSQL', { skip }, () => {
  test(`no event is lost or doubled while PostgreSQL ends sessions at any moment of ${GROUPS} groups`, async () => {
    const server = await serverForFile();
    assert.ok('url' in server);
    await using nodes = await NodesOnPostgres.on(server.url);
    const { store } = await nodes.open();
    await using killer = await Killer.of(nodes.url);
    const { scribe: writer, workers } = await begin(store, GROUPS + 100);

    for (let n = 0; n < GROUPS; n += 1) {
      writer.work(workers);
      const written = writer.write(store);
      if (n % 10 === 0) killer.strike();
      await written;
    }
    assert.ok((await killer.rest()) >= GROUPS / 20);
    await agrees(store, writer);
  });

  if (runsInTier('test')) {
    test('no event is lost or doubled while PostgreSQL is stopped in every way and restarted', async () => {
      assert.ok('restart' in ownServer);
      await using nodes = await NodesOnPostgres.on(ownServer.url);
      // Time for a server to restart on a busy machine.
      const { store } = await nodes.open({ timeouts: { read: 120_000 } });
      const { scribe: writer, workers } = await begin(store, 100);

      for (const mode of ['immediate', 'fast', 'crash', 'immediate'] as const) {
        const restarted = ownServer.restart(mode);
        for (let n = 0; n < 25; n += 1) {
          writer.work(workers);
          await writer.write(store);
          assert.equal((await store.tasks({ limit: 3 })).rows.length, 3);
        }
        await restarted;
      }
      await agrees(store, writer);
    });
  }
});

async function begin(store: Store, tasks: number) {
  const writer = new StoreWriter().settle();
  const workers = writer.workers(1);
  await writer.post(tasks).write(store);
  return { scribe: writer, workers };
}

/** Everything that was answered is there once, the chain verifies, and the tables are its fold. */
async function agrees(store: Store, { head, table }: StoreWriter): Promise<void> {
  assert.deepEqual(await store.head(), head);
  assert.equal(head.seq, table.board.seq);
  assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
}

/** Ends all other sessions of a database, whatever they are doing. */
class Killer implements AsyncDisposable {
  readonly #client: pg.Client;
  #killed = 0;
  #last: Promise<void> = Promise.resolve();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async of(url: string): Promise<Killer> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new Killer(client);
  }

  strike(): void {
    this.#last = this.#last.then(async () => {
      const { rowCount } = await this.#client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      this.#killed += rowCount ?? 0;
    });
  }

  /** How many sessions it ended. */
  async rest(): Promise<number> {
    await this.#last;
    return this.#killed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#client.end();
  }
}
