import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leadershipContract, type Nodes } from '../../../test/contracts/leadership.contract.ts';
import { NodesOnPostgres, serverForFile } from '../../../test/support/postgres-nodes.ts';
import { StoreWriter } from '../../../test/support/store-writer.ts';
import { startProxy } from '../../../test/support/tcp-proxy.ts';
import type { Leadership } from '../../ports/leadership.ts';

const server = await serverForFile();
const [url, skip] = 'missing' in server ? ['', server.missing] : [server.url, false];

/** So rare that a test which is woken was told, and not polled. */
const NEVER = { poll: 600_000 };

if (!skip) {
  leadershipContract('PostgreSQL', async (): Promise<Nodes> => {
    const nodes = await NodesOnPostgres.on(url);
    return {
      node: async () => (await nodes.open({ timeouts: NEVER })).leadership,
      [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose](),
    };
  });
}

describe('leadership on PostgreSQL', { skip }, () => {
  test('a takeover whose response is lost is known to have succeeded', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    await using proxy = await startProxy(nodes.url);
    const { leadership, store } = await nodes.open({ url: proxy.url });
    const seen = await leadership.look();
    let isOnItsWay = false;
    proxy.meddle = (piece, way) => {
      isOnItsWay ||= way === 'toServer' && piece.includes('INSERT INTO leader_term');
      if (!isOnItsWay || way === 'toServer') return 'pass';
      proxy.meddle = () => 'pass';
      return 'cut';
    };
    const epoch = await leadership.takeOver(seen, 'http://first');
    assert.equal(epoch, 1);
    await new StoreWriter(epoch).settle().write(store);
  });

  test('a takeover that never reached the server is sent again', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    await using proxy = await startProxy(nodes.url);
    const { leadership } = await nodes.open({ url: proxy.url });
    const seen = await leadership.look();
    proxy.meddle = (piece) => {
      if (!piece.includes('INSERT INTO leader_term')) return 'pass';
      proxy.meddle = () => 'pass';
      return 'cut';
    };
    assert.equal(await leadership.takeOver(seen, 'http://first'), 1);
    assert.equal((await leadership.look()).epoch, 1);
  });

  test('an append counts as a heartbeat of the leader', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const [first, second] = [await nodes.open(), await nodes.open()];
    await first.leadership.takeOver(await first.leadership.look(), 'http://first');
    const seen = await second.leadership.look();
    await new StoreWriter(1).settle().write(first.store);
    assert.equal(await second.leadership.takeOver(seen, 'http://second'), undefined);
  });
});

describe('a following node on PostgreSQL', { skip }, () => {
  test('a following node is woken by an append of the leader', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const [first, second] = [await nodes.open(), await nodes.open({ timeouts: NEVER })];
    const wakes = listen(second.leadership);
    await wakes.next();
    await Promise.all([new StoreWriter().settle().write(first.store), wakes.next()]);
  });

  test('a following node is woken by polling while its listening connection is dead, and by notifications once it is back', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    await using proxy = await startProxy(nodes.url);
    const first = await nodes.open();
    const second = await nodes.open({ url: proxy.url, timeouts: { poll: 200, connect: 1_500 } });
    const wakes = listen(second.leadership);
    await wakes.next();

    proxy.forgetAll();
    const writer = new StoreWriter().settle();
    await writer.write(first.store);
    await wakes.next();

    for (let isNotified = false; !isNotified; ) {
      const [before, began] = [wakes.count, performance.now()];
      for (let n = 0; n < 20; n += 1) await writer.post(1).write(first.store);
      const polls = 1 + (performance.now() - began) / 200;
      isNotified = wakes.count - before > polls;
    }
  });

  test('a following node is woken again after the server ended its listening connection', async () => {
    await using nodes = await NodesOnPostgres.on(url);
    const [first, second] = [await nodes.open(), await nodes.open({ timeouts: NEVER })];
    const wakes = listen(second.leadership);
    await wakes.next();
    await nodes.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%'`);
    await wakes.next();
    await Promise.all([new StoreWriter().settle().write(first.store), wakes.next()]);
  });
});

/** The wakes of a node, to be counted and to be waited for one by one. */
function listen(leadership: Leadership) {
  let waiting: (() => void) | undefined;
  const wakes = {
    count: 0,
    next: () =>
      new Promise<void>((resolve) => {
        waiting = resolve;
      }),
  };
  leadership.onMove(() => {
    wakes.count += 1;
    waiting?.();
  });
  return wakes;
}
