import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Leadership } from '../../src/ports/leadership.ts';

/** Several nodes of one hall, on a fresh store. */
export interface Nodes extends AsyncDisposable {
  node(): Promise<Leadership>;
}

/** What every shared store promises about leadership. */
export function leadershipContract(name: string, open: () => Promise<Nodes>): void {
  describe(`leadership on ${name}`, () => {
    test('a fresh store has no leader', async () => {
      await using nodes = await open();
      const first = await nodes.node();
      assert.deepEqual(await first.look(), { epoch: 0, heartbeat: 0, url: '', seq: 0 });
    });

    test('a node that takes over leads with the next epoch, and every node sees its URL', async () => {
      await using nodes = await open();
      const [first, second] = [await nodes.node(), await nodes.node()];
      assert.equal(await first.takeOver(await first.look(), 'http://first'), 1);
      const { epoch, url } = await second.look();
      assert.deepEqual({ epoch, url }, { epoch: 1, url: 'http://first' });
    });

    test('a heartbeat is visible to other nodes and keeps the epoch', async () => {
      await using nodes = await open();
      const [first, second] = [await nodes.node(), await nodes.node()];
      await first.takeOver(await first.look(), 'http://first');
      const before = await second.look();
      assert.equal(await first.heartbeat(1), true);
      const after = await second.look();
      assert.equal(after.epoch, before.epoch);
      assert.equal(after.heartbeat > before.heartbeat, true);
    });

    test('a leader that sent a heartbeat since another node looked keeps leadership', async () => {
      await using nodes = await open();
      const [first, second] = [await nodes.node(), await nodes.node()];
      await first.takeOver(await first.look(), 'http://first');
      const seen = await second.look();
      await first.heartbeat(1);
      assert.equal(await second.takeOver(seen, 'http://second'), undefined);
      assert.equal((await second.look()).url, 'http://first');
    });

    test('of several nodes that try to take over at once, exactly one succeeds', async () => {
      await using nodes = await open();
      const racers = await Promise.all(Array.from({ length: 5 }, () => nodes.node()));
      for (let round = 1; round <= 20; round += 1) {
        const ready = await Promise.all(
          racers.map(async (racer, n) => {
            const seen = await racer.look();
            return () => racer.takeOver(seen, `http://${n}`);
          }),
        );
        const epochs = await Promise.all(ready.map((takeOver) => takeOver()));
        assert.deepEqual(
          epochs.filter((epoch) => epoch !== undefined),
          [round],
        );
      }
    });

    test('a former leader learns from its next heartbeat that it lost leadership, and the heartbeat changes nothing', async () => {
      await using nodes = await open();
      const [first, second] = [await nodes.node(), await nodes.node()];
      await first.takeOver(await first.look(), 'http://first');
      await second.takeOver(await second.look(), 'http://second');
      const before = await second.look();
      assert.equal(await first.heartbeat(1), false);
      assert.deepEqual(await second.look(), before);
    });

    test('a leader that steps down can be replaced at once and cannot continue', async () => {
      await using nodes = await open();
      const [first, second] = [await nodes.node(), await nodes.node()];
      await first.takeOver(await first.look(), 'http://first');
      await first.stepDown(1);
      const vacant = await second.look();
      assert.equal(vacant.url, '');
      assert.equal(await first.heartbeat(1), false);
      assert.equal((await second.takeOver(vacant, 'http://second')) !== undefined, true);
      assert.equal((await first.look()).url, 'http://second');
    });

    test('stepping down from an earlier epoch changes nothing', async () => {
      await using nodes = await open();
      const [first, second] = [await nodes.node(), await nodes.node()];
      await first.takeOver(await first.look(), 'http://first');
      await second.takeOver(await second.look(), 'http://second');
      const before = await second.look();
      await first.stepDown(1);
      assert.deepEqual(await second.look(), before);
    });

    test('a node is woken when another takes over', async () => {
      await using nodes = await open();
      const [first, second] = [await nodes.node(), await nodes.node()];
      const woken = new Promise<void>((resolve) => {
        second.onMove(resolve);
      });
      await first.takeOver(await first.look(), 'http://first');
      await woken;
    });

    test('a node that stopped listening is not woken', async () => {
      await using nodes = await open();
      const [first, second] = [await nodes.node(), await nodes.node()];
      let wakes = 0;
      const listening = second.onMove(() => {
        wakes += 1;
      });
      listening.stop();
      const woken = new Promise<void>((resolve) => {
        second.onMove(resolve);
      });
      await first.takeOver(await first.look(), 'http://first');
      await woken;
      assert.equal(wakes, 0);
    });
  });
}
