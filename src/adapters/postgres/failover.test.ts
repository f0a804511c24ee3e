import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PromotedCopy, promoteCopy } from '../../../test/support/postgres-copy.ts';
import { NodesOnPostgres, ownServerForFile } from '../../../test/support/postgres-nodes.ts';
import { StoreWriter } from '../../../test/support/store-writer.ts';
import { startProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { StoreFailed } from '../../ports/store.ts';
import type { Postgres } from './open.ts';

const server = await ownServerForFile();
const skip = 'missing' in server ? server.missing : false;

describe('when PostgreSQL fails over to a standby', { skip }, () => {
  test('after a failover without loss the leader continues and logs it', async () => {
    await using hall = await Hall.open();
    await hall.failOver();
    await hall.writer.post(1).write(hall.leader.store);
    assert.ok(hall.logged.includes('database failed over without loss'));
    await hall.leader.leadership.stepDown(1);
    const next = await hall.another();
    assert.equal(await next.leadership.takeOver(await next.leadership.look(), 'http://next'), 3);
  });

  test('after a failover that lost the end of the log the leader stops', async () => {
    await using hall = await Hall.open();
    await hall.failOver(() => hall.writer.post(1).write(hall.leader.store));
    await assert.rejects(hall.writer.post(1).write(hall.leader.store), {
      name: 'StoreFailed',
      message: /^the database ends at event \d+, but this node has seen event \d+: it was restored/,
    });
    await assert.rejects(hall.leader.store.head(), StoreFailed);
    await assert.rejects(hall.leader.leadership.look(), StoreFailed);
  });

  test('after a failover that lost the end of the log a node notices events written since', async () => {
    await using hall = await Hall.open();
    await hall.failOver(() => hall.writer.post(1).write(hall.leader.store));
    await hall.writeOn(5);
    await assert.rejects(hall.leader.store.head(), {
      name: 'StoreFailed',
      message: /^event \d+ in the database is not the one this node has seen/,
    });
    await assert.rejects(hall.writer.post(1).write(hall.leader.store), StoreFailed);
  });

  test('after a failover without a leader no node takes over until the operator accepts the database', async () => {
    await using hall = await Hall.open();
    await hall.leader.store.close();
    await hall.failOver();

    const next = await hall.another();
    const seen = await next.leadership.look();
    await assert.rejects(next.leadership.takeOver(seen, 'http://next'), {
      name: 'StoreFailed',
      message:
        /^the log was written on server and timeline \d+\/00000001, but the database is now \d+\/00000002/,
    });

    const accepted = await hall.another({ accept: true });
    const { epoch, url } = await accepted.leadership.look();
    assert.deepEqual({ epoch, url }, { epoch: 2, url: '' });
    assert.equal(await accepted.leadership.takeOver(await accepted.leadership.look(), 'x'), 3);
  });
});

describe('when PostgreSQL waits for a synchronous standby', { skip }, () => {
  for (const end of ['pg_cancel_backend', 'pg_terminate_backend']) {
    test(`a group is not acknowledged before the synchronous standby has it, even after ${end}`, async () => {
      await using hall = await Hall.open();
      await hall.nodes.ask("ALTER SYSTEM SET synchronous_standby_names = 'absent'");
      await hall.nodes.ask('SELECT pg_reload_conf()');
      const write = await hall.writeThatWaits();
      await hall.nodes.ask(`SELECT ${end}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
      await hall.untilWaiting('%FOR UPDATE%');
      assert.equal(write.isAnswered, false);

      await hall.nodes.ask('ALTER SYSTEM RESET synchronous_standby_names');
      await hall.nodes.ask('SELECT pg_reload_conf()');
      await write.answer;
    });
  }
});

/** A hall that writes through a proxy that can switch to another server. */
class Hall implements AsyncDisposable {
  readonly nodes: NodesOnPostgres;
  readonly writer: StoreWriter;
  readonly leader: Postgres;
  readonly logged: string[];
  readonly #proxy: TcpProxy;
  #copy: PromotedCopy | undefined;

  private constructor(
    { nodes, leader, logged }: Pick<Hall, 'nodes' | 'leader' | 'logged'>,
    { proxy, writer }: { proxy: TcpProxy; writer: StoreWriter },
  ) {
    this.nodes = nodes;
    this.leader = leader;
    this.logged = logged;
    this.writer = writer;
    this.#proxy = proxy;
  }

  static async open(): Promise<Hall> {
    assert.ok('url' in server);
    const nodes = await NodesOnPostgres.on(server.url);
    const proxy = await startProxy(nodes.url);
    const logged: string[] = [];
    const record = (message: string) => void logged.push(message);
    const log = { info: record, warn: record, error: record };
    const leader = await nodes.open({ url: proxy.url, log });
    await leader.leadership.takeOver(await leader.leadership.look(), 'http://leader');
    const writer = new StoreWriter(1).settle();
    await writer.write(leader.store);
    return new Hall({ nodes, leader, logged }, { proxy, writer });
  }

  /** Switches the proxy to a copy of the server; `meanwhile` changes only the original. */
  async failOver(meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
    assert.ok('restart' in server);
    this.#copy = await promoteCopy(server);
    await meanwhile();
    this.#proxy.target = this.#copy.url;
    this.#proxy.cutAll();
  }

  another(options: { readonly accept?: boolean } = {}): Promise<Postgres> {
    return this.nodes.open({ url: this.#proxy.url, ...options });
  }

  /** A node that never saw what was lost leads, with the operator's word, and writes other events. */
  async writeOn(events: number): Promise<void> {
    const { store, leadership } = await this.another({ accept: true });
    const epoch = await leadership.takeOver(await leadership.look(), 'http://other');
    const writer = new StoreWriter(epoch).settle();
    writer.group();
    writer.head = await store.head();
    await writer.post(events).write(store);
  }

  /** Servers take a new setting up in their own time: until then a write does not wait, and the next is tried. */
  async writeThatWaits(): Promise<{ isAnswered: boolean; readonly answer: Promise<unknown> }> {
    for (;;) {
      const write = { isAnswered: false, answer: this.writer.post(1).write(this.leader.store) };
      void write.answer.then(() => {
        write.isAnswered = true;
      });
      await this.untilWaiting('%UPDATE head SET seq%', () => write.isAnswered);
      if (!write.isAnswered) return write;
    }
  }

  async untilWaiting(query: string, isOver = () => false): Promise<void> {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '${query}'`;
    while (!isOver() && (await this.nodes.ask(sql)).length === 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nodes[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
    await this.#copy?.[Symbol.asyncDispose]();
  }
}
