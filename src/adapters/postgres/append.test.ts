import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../test/support/hall-fixture.ts';
import { NodesOnPostgres, serverForFile } from '../../../test/support/postgres-nodes.ts';
import { StoreWriter } from '../../../test/support/store-writer.ts';
import { startProxy, type TcpProxy, type Way } from '../../../test/support/tcp-proxy.ts';
import { verifyTables } from '../../../test/support/verify-tables.ts';
import { GroupRefused, LeadershipLost, type Store, StoreFailed } from '../../ports/store.ts';
import { createMemoryTables } from '../memory/tables.ts';
import type { Timeouts } from './settings.ts';

const server = await serverForFile();
const [url, skip] = 'missing' in server ? ['', server.missing] : [server.url, false];

/** Short, so that a silent server is given up within the test. */
const HASTY: Partial<Timeouts> = { connect: 400, answer: 400 };

describe('an append to PostgreSQL', { skip }, () => {
  test('an append of a leader that lost leadership writes nothing', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const [first, second] = [await nodes.open(), await nodes.open()];
    const writer = new StoreWriter(await lead(first, 'http://first')).settle();
    await writer.write(first.store);

    await lead(second, 'http://second');
    await assert.rejects(writer.post(1).write(first.store), LeadershipLost);
    assert.deepEqual(await second.store.head(), writer.head);
    assert.deepEqual((await second.store.tasks({ limit: 9 })).rows, []);
  });

  test('a leader loses leadership when the log does not end where the group that it appends begins', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const { store } = await nodes.open();
    const [writer, other] = [new StoreWriter().settle(), new StoreWriter().settle()];
    await writer.write(store);
    await assert.rejects(other.write(store), LeadershipLost);
    await writer.post(1).write(store);
  });

  test('an append refused by a constraint writes nothing, and the next one is written', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const { store } = await nodes.open();
    const writer = new StoreWriter().settle();
    await writer.write(store);
    const entry = { run: 7 as never, n: 1, at: 1, text: 'said once' };
    await writer.write(store, writer.group({ log: [entry] }));

    const answer = { key: 'a', request: 'r', status: 200, body: 'b', at: 1 };
    const twice = { ...writer.group({ log: [entry], responses: [answer] }) };
    await assert.rejects(store.append(twice), GroupRefused);
    assert.equal((await store.recall({ responses: ['a'] })).responses.size, 0);

    await writer.post(1).write(store);
    await agrees(store, writer);
  });

  test('an append for which the server has no space writes nothing, and succeeds once there is space', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const { store } = await nodes.open();
    const writer = new StoreWriter().settle();
    await writer.write(store);
    await nodes.ask(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`);
    await nodes.ask('CREATE TRIGGER full_disk BEFORE INSERT ON event EXECUTE FUNCTION full_disk()');
    const group = writer.post(1).group();
    await assert.rejects(store.append(group), {
      name: 'StoreFull',
      message: 'the database has no space: could not extend file',
    });
    assert.deepEqual(await store.head(), writer.head);

    await nodes.ask('DROP TRIGGER full_disk ON event');
    await writer.write(store, group);
    await agrees(store, writer);
  });
});

describe('an append whose connection is cut', { skip }, () => {
  test('an append cut off before it reached the server is written by the next connection', async () => {
    await using cell = await Cell.open();
    cell.onceOn('toServer', () => 'cut');
    await cell.writer.post(1).write(cell.store);
    await cell.agrees();
  });

  test('an append cut off after its commit is found written and not repeated', async () => {
    await using cell = await Cell.open();
    cell.onceOn('toClient', () => 'cut');
    await cell.writer.post(1).write(cell.store);
    await cell.agrees();
  });

  test('an append without events cut off after its commit is found written and not repeated', async () => {
    await using cell = await Cell.open();
    cell.onceOn('toClient', () => 'cut');
    const entry = { run: 7 as never, n: 1, at: 1, text: 'said once' };
    await cell.writer.write(cell.store, cell.writer.group({ log: [entry] }));
    assert.deepEqual(await cell.store.log(entry.run, 0, 9), [entry]);
    await cell.agrees();
  });

  test('an append whose connection goes silent after the commit times out and is found written', async () => {
    await using cell = await Cell.open();
    cell.onceOn('toClient', () => 'drop');
    await cell.writer.post(1).write(cell.store);
    await cell.agrees();
  });

  test('an append that arrives late, after it was sent again, is not written twice', async () => {
    await using cell = await Cell.open();
    cell.onceOn('toServer', () => 'hold');
    await cell.writer.post(1).write(cell.store);
    await cell.proxy.release();
    await cell.writer.post(1).write(cell.store);
    await cell.agrees();
  });

  test('an append that arrives late, while it is sent again, is found written', async () => {
    await using cell = await Cell.open();
    cell.onceOn('toServer', () => {
      cell.onceOn('toServer', async () => {
        await cell.proxy.release();
        return 'pass' as const;
      });
      return 'hold';
    });
    await cell.writer.post(1).write(cell.store);
    await cell.agrees();
  });

  test('an append that arrives after a later group without events changes nothing', async () => {
    await using cell = await Cell.open();
    const heartbeat = (lastSeen: number) =>
      cell.writer.group({ heartbeats: [{ worker: 7 as never, lastSeen, worked: 0 }] });
    cell.onceOn('toServer', () => 'hold');
    await cell.writer.write(cell.store, heartbeat(1));
    await cell.writer.write(cell.store, heartbeat(2));
    await cell.proxy.release();
    assert.deepEqual(await cell.store.heartbeats(), [{ worker: 7, lastSeen: 2, worked: 0 }]);
    await cell.writer.post(1).write(cell.store);
    await cell.agrees();
  });
});

describe('an append whose connection is cut while another node takes over', { skip }, () => {
  test('an append that never reached the server loses leadership when another node takes over', async () => {
    await using cell = await Cell.open();
    const takenOver = cell.takeOverWhile('toServer');
    await assert.rejects(cell.writer.post(1).write(cell.store), LeadershipLost);
    await takenOver;
    await cell.agrees();
  });

  test('an append that reached the server is found written after another node takes over, and the old leader writes no other', async () => {
    await using cell = await Cell.open();
    const takenOver = cell.takeOverWhile('toClient');
    await cell.writer.post(1).write(cell.store);
    await takenOver;
    await cell.agrees();
    await assert.rejects(cell.writer.post(1).write(cell.store), LeadershipLost);
  });

  for (const [way, isWritten] of [
    ['toServer', false],
    ['toClient', true],
  ] as const) {
    const end = isWritten
      ? 'found written when it reached the server'
      : 'leadership lost when it did not';
    test(`an append without events during a takeover is ${end}`, async () => {
      await using cell = await Cell.open();
      const heartbeat = { worker: 7 as never, lastSeen: 1, worked: 0 };
      const group = cell.writer.group({ heartbeats: [heartbeat] });
      const takenOver = cell.takeOverWhile(way);
      if (isWritten) await cell.writer.write(cell.store, group);
      else await assert.rejects(cell.writer.write(cell.store, group), LeadershipLost);
      await takenOver;
      assert.deepEqual(await cell.other.store.heartbeats(), isWritten ? [heartbeat] : []);
    });
  }
});

describe('an append to a database that does not respond', { skip }, () => {
  test('an append waits for a locked head row and is written once it is free', async () => {
    await using cell = await Cell.open({ lock: 50 });
    const holder = await cell.holdHead();
    const written = cell.writer.post(1).write(cell.store);
    await cell.untilLogged('canceling statement due to lock timeout');
    await holder.end();
    await written;
    await cell.agrees();
  });

  test('an append fails the store after its timeout', async () => {
    // Long enough for the group that is written before the connection goes silent.
    await using cell = await Cell.open({ write: 10_000 });
    cell.proxy.silent = true;
    await assert.rejects(cell.writer.post(1).write(cell.store), {
      name: 'StoreFailed',
      message: /^could not write events up to \d+ after \d+ ms: .*no response for 400 ms$/,
    });
    cell.proxy.silent = false;
    cell.proxy.cutAll();
  });

  test('an append to a closed store fails', async () => {
    await using cell = await Cell.open();
    await cell.store.close();
    await assert.rejects(cell.writer.post(1).write(cell.store), StoreFailed);
  });
});

type Node = Awaited<ReturnType<NodesOnPostgres['open']>>;

async function lead({ leadership }: Node, at: string): Promise<number> {
  const epoch = await leadership.takeOver(await leadership.look(), at);
  assert.ok(epoch !== undefined);
  return epoch;
}

/** The chain verifies, ends where the writer expects, and the tables are its fold. */
async function agrees(store: Store, { head }: StoreWriter): Promise<void> {
  assert.deepEqual(await store.head(), head);
  assert.deepEqual(await verifyTables(store, createMemoryTables()), []);
}

/** A leader behind a proxy that breaks its connections, and another node. */
class Cell implements AsyncDisposable {
  readonly writer: StoreWriter;
  readonly proxy: TcpProxy;
  readonly store: Store;
  readonly other: Node;
  readonly #nodes: NodesOnPostgres;
  readonly #said: readonly string[];

  private constructor(
    { nodes, logged }: { readonly nodes: NodesOnPostgres; readonly logged: readonly string[] },
    { proxy, store, other, writer }: Pick<Cell, 'proxy' | 'store' | 'other' | 'writer'>,
  ) {
    this.#nodes = nodes;
    this.#said = logged;
    this.proxy = proxy;
    this.store = store;
    this.other = other;
    this.writer = writer;
  }

  static async open(timeouts: Partial<Timeouts> = {}): Promise<Cell> {
    const nodes = await NodesOnPostgres.on(url);
    const proxy = await startProxy(nodes.url);
    const logged: string[] = [];
    const record = (message: string, facts?: object) =>
      void logged.push(`${message} ${JSON.stringify(facts)}`);
    const log = { info: record, warn: record, error: record };
    const leader = await nodes.open({ url: proxy.url, log, timeouts: { ...HASTY, ...timeouts } });
    const other = await nodes.open();
    const writer = new StoreWriter(await lead(leader, 'http://leader')).settle();
    await writer.write(leader.store);
    return new Cell({ nodes, logged }, { proxy, store: leader.store, other, writer });
  }

  /** Applies a verdict once to the connection of the next append. */
  onceOn(way: Way, verdict: () => ReturnType<TcpProxy['meddle']>): void {
    let isOnItsWay = false;
    this.proxy.meddle = (piece, going) => {
      isOnItsWay ||= going === 'toServer' && piece.includes('append_');
      if (!isOnItsWay || going !== way) return 'pass';
      this.proxy.meddle = () => 'pass';
      return verdict();
    };
  }

  /** Cuts the wire of the next append, and lets nothing pass until the other node leads. */
  takeOverWhile(way: Way): Promise<void> {
    return new Promise((resolve, reject) => {
      this.onceOn(way, () => {
        this.proxy.silent = true;
        lead(this.other, 'http://other').then(() => {
          this.proxy.silent = false;
          resolve();
        }, reject);
        return 'cut';
      });
    });
  }

  /** A session that keeps the head row locked. */
  async holdHead(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#nodes.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM head FOR UPDATE');
    return client;
  }

  async untilLogged(text: string): Promise<void> {
    await until(`it is logged: ${text}`, () => this.#said.some((line) => line.includes(text)));
  }

  agrees(): Promise<void> {
    return agrees(this.other.store, this.writer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#nodes[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }
}
