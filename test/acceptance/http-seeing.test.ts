import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningHall, startHall } from '../support/hall.ts';

let hall: RunningHall;

before(async () => {
  hall = await startHall({ projects: { shop: { maxWorkers: 2 }, site: {} } });
});

after(() => hall[Symbol.asyncDispose]());

describe('the index of the API', () => {
  test('/ and /v1 list the addresses of the API', async () => {
    for (const path of ['/', '/v1']) {
      const { status, body } = await hall.caller.get(path);
      assert.equal(status, 200, path);
      assert.equal(body.version, '0.0.0');
      for (const named of [body.openapi, body.healthz, body.readyz, body.metrics]) {
        assert.equal((await hall.caller.get(named)).status, 200, named);
      }
    }
  });

  test('GH-060a: a caller without a token learns only how to authenticate', async () => {
    for (const path of ['/', '/v1', '/openapi.json']) {
      const { status, body } = await hall.as(null).get(path);
      assert.equal(status, 401, path);
      assert.match(body.detail, /Authorization: Bearer .* data folder/);
      assert.doesNotMatch(JSON.stringify(body), /0\.0\.0/);
    }
  });

  test('X-010a: a worker can read the OpenAPI document', async () => {
    const worker = await hall.worker();
    assert.equal((await worker.caller.get('/openapi.json')).status, 200);
    assert.equal((await worker.caller.get('/')).status, 200);
    await worker.caller.call('DELETE', `/v1/workers/${worker.id}`);
  });
});

describe('the board', () => {
  test('GH-020 GH-040: the board holds projects, active workers, tasks and completed work', async () => {
    const worker = await hall.worker();
    await hall.post([{}, {}, { title: 'later', ref: 'l' }, { depends_on: ['l'] }]);
    const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
    const report = { fence: claim.fence, outcome: 'completed', next: {} };
    const { body: done } = await worker.caller.post(`/v1/runs/${claim.run}/report`, report);

    const { body: board } = await hall.caller.get('/v1/board');
    const shop = board.projects.find(({ name }: { name: string }) => name === 'shop');
    assert.equal(shop.running, 1);
    assert.equal(shop.max_workers, 2);
    assert.equal(shop.open, 3);
    assert.deepEqual(
      Object.fromEntries(Object.entries(shop.counts).filter(([, count]) => count !== 0)),
      { available: 1, blocked: 1, claimed: 1, completed: 1 },
    );
    assert.equal(board.workers[0].id, worker.id);
    assert.equal(board.workers[0].run.id, done.next.run);
    assert.ok(board.workers[0].last_seen);
    assert.equal(board.totals.open, 3);
    assert.equal(board.totals.counts.completed, 1);
  });

  test('X-020a: the board can be read as it was at an earlier time', async () => {
    const { body: before } = await hall.caller.get('/v1/board');
    await sleep(5);
    const then = new Date().toISOString();
    await sleep(5);
    await hall.caller.post('/v1/pause', { because: 'later' });
    await hall.post([{}, {}]);
    const { body: now } = await hall.caller.get('/v1/board');
    const { body: past } = await hall.caller.get(`/v1/board?at=${encodeURIComponent(then)}`);
    assert.equal(past.seq, before.seq);
    assert.deepEqual(past.projects, before.projects);
    assert.deepEqual(past.totals, before.totals);
    assert.equal(past.hall.paused, null);
    assert.equal(now.hall.paused.because, 'later');
    assert.notDeepEqual(now.totals, before.totals);
    const { body: never } = await hall.caller.get('/v1/board?at=2001-01-01T00:00:00Z');
    assert.deepEqual(never.projects, []);
    assert.equal((await hall.caller.get('/v1/board?at=yesterday')).status, 400);
    await hall.caller.post('/v1/resume');
  });
});

describe('statistics and metrics', () => {
  test('the success rate counts completed tasks, and is null for a project without any', async () => {
    const { body } = await hall.caller.get('/v1/stats');
    assert.equal(body.totals.completed, 1);
    assert.equal(body.totals.success_rate, 1);
    const site = body.projects.find(({ name }: { name: string }) => name === 'site');
    assert.equal(site.success_rate, null);
  });

  test('the usage covers a week', async () => {
    const { body } = await hall.caller.get('/v1/usage');
    const week = Date.parse(body.window.closes) - Date.parse(body.window.opens);
    assert.equal(week, 7 * 86_400_000);
    assert.deepEqual(body.invokers, []);
  });

  test('X-009a: /metrics has the format and names that Prometheus expects, and no ids as labels', async () => {
    const { status, body, headers } = await hall.caller.get('/metrics');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
    assert.match(body, /^guildhall_tasks\{project="shop",state="blocked"\} 1$/m);
    assert.match(body, /^guildhall_tasks_closed_total\{project="shop",state="completed"\} 1$/m);
    assert.match(body, /^guildhall_runs\{project="shop"\} 1$/m);
    assert.match(body, /^guildhall_events_total \d+$/m);
    assert.match(body, /^guildhall_build_info\{version="0\.0\.0"\} 1$/m);
    assert.match(body, /^guildhall_http_request_duration_seconds_count\{.*operation="getBoard"/m);
    assert.match(body, /^process_resident_memory_bytes /m);
    assert.doesNotMatch(body, /t-\d|w-\d|r-\d/);
  });
});

describe('health', () => {
  test('X-009a: /healthz and /readyz answer anyone with the status and nothing else', async () => {
    const anybody = hall.as(null);
    for (const path of ['/healthz', '/readyz']) {
      const { status, body } = await anybody.get(path);
      assert.equal(status, 200);
      assert.deepEqual(body, { status: 'up' });
    }
  });

  test('health describes each component in words', async () => {
    const { body } = await hall.caller.get('/v1/health');
    assert.equal(body.status, 'up');
    const says = Object.fromEntries(
      body.components.map(({ name, says: text }: { name: string; says: string }) => [name, text]),
    );
    assert.equal(says.workers, '1 live, 0 silent');
    assert.match(says.store, /the log ends with event \d+/);
  });

  test('health is degraded or down when the disk is nearly full', async () => {
    for (const [freeBytes, status] of [
      [500e6, 'degraded'],
      [100e6, 'down'],
    ] as const) {
      const freeDisk = async () => ({ freeBytes, totalBytes: 1e12 });
      await using full = await startHall({ app: { freeDisk } });
      assert.equal((await full.caller.get('/v1/health')).body.status, status);
    }
  });

  test('health is down and the hall is not ready when the store does not answer', async () => {
    await using broken = await startHall();
    const { store } = broken.hall;
    store.head = () => Promise.reject(new Error('gone: s3cret'));
    const { body } = await broken.caller.get('/v1/health');
    assert.equal(body.status, 'down');
    assert.doesNotMatch(JSON.stringify(body), /s3cret/);
    assert.equal((await broken.caller.get('/readyz')).status, 503);
    assert.equal((await broken.caller.get('/healthz')).status, 200);
  });
});

describe('a fault of the hall', () => {
  test('a fault is answered with an id that is in the log, without details', async () => {
    await using faulty = await startHall();
    const { store } = faulty.hall;
    store.events = () => Promise.reject(new Error('table events at /srv/secret/path'));
    const { status, body, headers } = await faulty.caller.get('/v1/events');
    assert.equal(status, 500);
    assert.equal(body.code, 'fault');
    assert.doesNotMatch(JSON.stringify(body), /table|srv|\.ts/);
    // The search index reads events too, and logs its own failure.
    const logged = faulty.errors.find(({ request }) => request === headers['x-request-id']);
    assert.match(String(logged?.['fault']), /table events/);
  });
});
