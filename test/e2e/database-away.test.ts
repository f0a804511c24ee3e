import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { until } from '../support/hall-fixture.ts';
import { BIN, HallProcess } from '../support/hall-process.ts';
import { withPostgres } from '../support/postgres-part.ts';
import { startProxy } from '../support/tcp-proxy.ts';
import { testIn } from '../support/tier.ts';

describe('an unreachable database', () => {
  test('a starting hall waits for an unreachable database', async (t) => {
    await withPostgres(t, async (store) => {
      await using proxy = await startProxy(store);
      proxy.meddle = () => 'cut';
      await using hall = await HallProcess.create({ projects: { shop: 3 }, store: proxy.url });
      const started = hall.start();
      await until('it tries again', () => hall.output.includes('retrying'));
      proxy.meddle = () => 'pass';
      await started;
      const caller = hall.caller();
      assert.equal((await caller.get('/v1/board')).status, 200);
      caller.close();
    });
  });

  test('a running hall answers 503 while the database is unreachable, and recovers when it is back', async (t) => {
    await withPostgres(t, async (store) => {
      await using proxy = await startProxy(store);
      await using hall = await HallProcess.start({ projects: { shop: 3 }, store: proxy.url });
      const caller = hall.caller();
      // The hall receives it before it can know that the database is unreachable.
      const isUnderWay = Promise.withResolvers<void>();
      proxy.meddle = (piece) => {
        if (!piece.includes('an early one')) return 'pass';
        proxy.meddle = () => 'cut';
        isUnderWay.resolve();
        return 'cut';
      };
      const early = caller.post('/v1/tasks', { project: 'shop', title: 'an early one' });
      await isUnderWay.promise;
      proxy.cutAll();
      const refused = await until('it is said so', async () => {
        const late = caller.get('/v1/board').catch(() => undefined);
        const answer = await Promise.race([late, pause()]);
        return answer?.status === 503 && answer;
      });
      assert.equal(refused.body.code, 'store_unavailable');
      assert.match(refused.body.detail, /has not answered for \d+ s/);

      proxy.meddle = () => 'pass';
      assert.equal((await early).status, 201);
      const board = await until('its readers have connected again', async () => {
        const answer = await caller.get('/v1/board');
        return answer.status === 200 && answer;
      });
      assert.equal(board.body.totals.open, 1);
      caller.close();
    });
  });
});

describe('an unreachable database', () => {
  const test = testIn('full');

  test('a hall survives a database that is silent for longer than any read waits, whatever was requested', async (t) => {
    await withPostgres(t, async (store) => {
      await using proxy = await startProxy(store);
      await using hall = await HallProcess.start({ projects: { shop: 3 }, store: proxy.url });
      const caller = hall.caller();
      const task = { project: 'shop', title: 'keyed' };
      const options = { key: 'once' };
      proxy.silent = true;
      const early = caller.post('/v1/tasks', task, options);
      await until('it has been silent for long', async () => {
        const { status, body } = await caller.post('/v1/tasks', task, options);
        assert.equal(status, 503);
        assert.equal((await caller.get('/readyz')).status, 503);
        return Number(/for (\d+) s/.exec(body.detail)?.[1]) > 12;
      });
      assert.equal((await early).status, 503);
      assert.doesNotMatch(hall.output, /hall exits/);

      proxy.silent = false;
      proxy.cutAll();
      const late = await until('it can be changed', async () => {
        const answer = await caller.post('/v1/tasks', task, options);
        return answer.status === 201 && answer;
      });
      const { body } = await caller.get('/v1/tasks');
      assert.deepEqual(
        body.tasks.map(({ id }: { readonly id: string }) => id),
        [late.body.tasks[0].id],
      );
      caller.close();
    });
  });
});

describe('stopping a hall', () => {
  test('a stopping hall does not wait for clients that follow the events', async () => {
    await using hall = await HallProcess.start({
      projects: { shop: 3 },
      hall: { grace_seconds: 60 },
    });
    const follower = spawn(process.execPath, [BIN, 'events', '--follow', '--config', hall.config], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await once(follower.stdout, 'data');
    await hall.stop();
    follower.kill('SIGKILL');
    await once(follower, 'exit');
    assert.doesNotMatch(hall.output, /waits to stop/);
  });
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}
