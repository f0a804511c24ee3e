import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { BIN, HallProcess } from '../support/hall-process.ts';
import { withPostgres } from '../support/postgres-part.ts';
import { startProxy } from '../support/tcp-proxy.ts';

describe('a database that is away', () => {
  test('X-004: when the hall starts, is waited for', async (t) => {
    await withPostgres(t, async (store) => {
      await using proxy = await startProxy(store);
      proxy.meddle = () => 'cut';
      await using hall = await HallProcess.create({ projects: { shop: 3 }, store: proxy.url });
      const started = hall.start();
      while (!hall.output.includes('trying again')) await pause();
      proxy.meddle = () => 'pass';
      await started;
      const caller = hall.caller();
      assert.equal((await caller.get('/v1/board')).status, 200);
      caller.close();
    });
  });

  test('X-004: while the hall runs, is said so instead of waited for in line, until it is back', async (t) => {
    await withPostgres(t, async (store) => {
      await using proxy = await startProxy(store);
      await using hall = await HallProcess.start({ projects: { shop: 3 }, store: proxy.url });
      const caller = hall.caller();
      proxy.meddle = () => 'cut';
      proxy.cutAll();
      const early = caller.post('/v1/tasks', { project: 'shop', title: 'early' });
      let refused = await caller.get('/v1/health');
      do {
        await pause();
        const late = caller.get('/v1/board');
        refused = await Promise.race([late, pause().then(() => ({ ...refused, status: 0 }))]);
        late.catch(() => undefined);
      } while (refused.status !== 503);
      assert.equal(refused.body.code, 'store_away');
      assert.match(refused.body.detail, /has not answered for \d+ s/);

      proxy.meddle = () => 'pass';
      assert.equal((await early).status, 201);
      assert.equal((await caller.get('/v1/board')).body.totals.open, 1);
      caller.close();
    });
  });
});

describe('stopping', () => {
  test('does not wait for those who follow the events', async () => {
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
