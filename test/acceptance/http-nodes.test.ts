import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Hall } from '../../src/board/hall.ts';
import type { TaskId } from '../../src/domain/ids.ts';
import { type RunningHall, startHall } from '../support/hall.ts';
import { until } from '../support/hall-fixture.ts';

let leader: RunningHall;
let follower: RunningHall;

/** What the follower knows about the leader. */
const view: { url: string | undefined; leads: boolean } = { url: undefined, leads: false };

/** How many times faster the follower's clock runs. */
let haste = 1;

/** The same board as a follower with its own clock. */
function asFollower(hall: Hall): Hall {
  const { clock } = hall;
  return {
    ...hall,
    clock: {
      ...clock,
      monotonic: () => clock.monotonic() * haste,
      after: (delay, call) => clock.after(delay / haste, call),
    },
    leading: () => (view.leads ? hall.leading() : undefined),
    leaderUrl: () => (view.leads ? undefined : view.url),
  };
}

before(async () => {
  leader = await startHall();
  view.url = leader.url;
  follower = await startHall({ hall: asFollower(leader.hall) });
});

after(async () => {
  await follower[Symbol.asyncDispose]();
  await leader[Symbol.asyncDispose]();
});

/** A leader that accepts requests and never answers, like a stopped process, or drops the connection. */
async function badLeader(dies: boolean) {
  const requests: { readonly path: string; readonly key: string | undefined }[] = [];
  const server = createServer((got, answer) => {
    const key = got.headers['idempotency-key'];
    requests.push({ path: got.url ?? '', key: typeof key === 'string' ? key : undefined });
    if (dies) answer.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a follower', () => {
  test('a follower forwards changes to the leader and returns its responses', async () => {
    const posted = await follower.caller.post('/v1/tasks', { project: 'shop', title: 'via' });
    assert.equal(posted.status, 201);
    const refused = await follower.caller.post('/v1/tasks', { project: 'none', title: 'x' });
    assert.equal(refused.status, 404);
    assert.equal(refused.headers['content-type'], 'application/problem+json');
    const wrong = await follower.caller.post('/v1/tasks', { title: 1 });
    assert.equal(wrong.status, 400);
    const { body } = await leader.caller.get(`/v1/tasks/${posted.body.tasks[0].id}`);
    assert.equal(body.task.posted_by, 'operator:local');
  });

  test('a follower searches the index of the leader and says which event it reaches', async () => {
    const [id] = await leader.post({ title: 'Water the plants' });
    const search = async () => (await follower.caller.get('/v1/tasks?text=plants')).body;
    const { store } = leader.hall;
    const { seq: to } = await store.head();
    const from = await store.indexedTo();
    assert.equal(from < to, true);
    const before = await search();
    assert.deepEqual([before.tasks, before.search], [[], { indexed_to: from, log_end: to }]);
    const tasks = [Number(id?.slice(2)) as TaskId];
    assert.equal(await store.index({ from, to, tasks, threads: [] }), true);
    const after = await search();
    assert.deepEqual([after.tasks.length, after.search], [1, { indexed_to: to, log_end: to }]);
  });

  test('a follower forwards registration, waiting claims, reports and heartbeats of a worker', async () => {
    const worker = await follower.worker();
    const waiting = worker.caller.post('/v1/claims', { worker: worker.id, wait_seconds: 20 });
    const { body } = await waiting;
    assert.equal(body.task.title, 'via');
    const report = { fence: body.fence, outcome: 'completed', next: {} };
    const reported = await worker.caller.post(`/v1/runs/${body.run}/report`, report);
    assert.equal(reported.body.state, 'completed');
    const heartbeat = await worker.caller.post(`/v1/workers/${worker.id}/heartbeat`);
    assert.equal(heartbeat.body.orders, 'continue');
  });

  test('a follower forwards the idempotency key, so a repeat at the leader is recognised', async () => {
    const task = { project: 'shop', title: 'keyed' };
    const first = await follower.caller.post('/v1/tasks', task, { key: 'k' });
    const again = await leader.caller.post('/v1/tasks', task, { key: 'k' });
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers['idempotency-replayed'], 'true');
  });

  test('a follower answers reads itself', async () => {
    view.url = 'http://127.0.0.1:1';
    for (const path of [
      '/v1/board',
      '/v1/tasks',
      '/v1/workers',
      '/v1/events',
      '/readyz',
      '/metrics',
    ]) {
      assert.equal((await follower.caller.get(path)).status, 200, path);
    }
    view.url = leader.url;
    const { body } = await follower.caller.get('/v1/health');
    const says = body.components.find(({ name }: { name: string }) => name === 'leadership').says;
    assert.equal(says, `follows ${leader.url}`);
  });

  test('a follower checks tokens before it forwards a request', async () => {
    assert.equal((await follower.as(null).post('/v1/pause')).status, 401);
    const worker = await follower.worker();
    assert.equal((await worker.caller.post('/v1/pause')).status, 403);
  });

  test('a follower ends a waiting claim whose client disconnected', async () => {
    const worker = await follower.worker({ projects: ['shop'] });
    for (;;) {
      const { status, body } = await worker.caller.post('/v1/claims', { worker: worker.id });
      if (status === 204) break;
      const report = { fence: body.fence, outcome: 'completed' };
      await worker.caller.post(`/v1/runs/${body.run}/report`, report);
    }
    const stop = new AbortController();
    const waiting = fetch(`${follower.url}/v1/claims`, {
      method: 'POST',
      headers: { authorization: `Bearer ${worker.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ worker: worker.id, wait_seconds: 30 }),
      signal: stop.signal,
    }).catch(() => undefined);
    const waiters = () => leader.hall.leading()?.writer.waiters.size;
    await until('it waits', () => waiters() === 1);
    stop.abort();
    await waiting;
    await until('it is let go', () => waiters() === 0);
  });
});

test('a request target without a leading slash is not found, on the leader and on a follower', async () => {
  for (const { port, token, errors } of [leader, follower]) {
    for (const [method, path] of [
      ['GET', '*v1/board'],
      ['POST', '*v1/tasks'],
      ['OPTIONS', '*'],
    ] as const) {
      const headers = { authorization: `Bearer ${token}` };
      const sent = request({ host: '127.0.0.1', port, method, path, headers });
      sent.end();
      const [answer] = await once(sent, 'response');
      answer.resume();
      assert.equal(answer.statusCode, 404, `${method} ${path}`);
    }
    assert.deepEqual(errors, []);
  }
});

describe('when the leader is lost', () => {
  test('a change that a dying leader dropped is made by the next leader, under the same idempotency key', async () => {
    await using dying = await badLeader(true);
    view.url = dying.url;
    const answer = follower.caller.post('/v1/tasks', { project: 'shop', title: 'survives' });
    await until('it was asked', () => dying.requests.length > 0);
    view.url = leader.url;
    const { status, body } = await answer;
    assert.equal(status, 201);
    const key = dying.requests[0]?.key ?? assert.fail('it had no key');
    const task = { project: 'shop', title: 'survives' };
    const again = await leader.caller.post('/v1/tasks', task, { key });
    assert.deepEqual(again.body, body);
  });

  test('a follower stops waiting for a hanging leader once there is another leader', async () => {
    await using stopped = await badLeader(false);
    view.url = stopped.url;
    const answer = follower.caller.post('/v1/tasks', { project: 'shop', title: 'moves on' });
    await until('it was asked', () => stopped.requests.length > 0);
    view.url = leader.url;
    assert.equal((await answer).status, 201);
  });

  test('a follower makes a forwarded change itself once it is the leader', async () => {
    await using dying = await badLeader(true);
    view.url = dying.url;
    const answer = follower.caller.post('/v1/tasks', { project: 'shop', title: 'mine now' });
    await until('it was asked', () => dying.requests.length > 0);
    view.leads = true;
    assert.equal((await answer).status, 201);
    view.leads = false;
    view.url = leader.url;
  });

  test('a follower without a leader answers 503 after ten seconds and asks the client to retry', async () => {
    view.url = undefined;
    haste = 20;
    const started = follower.hall.clock.monotonic();
    const { status, body, headers } = await follower.caller.post('/v1/pause');
    assert.equal(status, 503);
    assert.equal(body.code, 'no_leader');
    assert.equal(headers['retry-after'], '1');
    assert.ok(follower.hall.clock.monotonic() - started > 10_000);
    assert.equal((await follower.caller.get('/readyz')).status, 503);
    haste = 1;
    view.url = leader.url;
  });

  test('a request that was already forwarded is not forwarded again', async () => {
    const { status } = await follower.caller.post(
      '/v1/pause',
      {},
      {
        headers: { 'x-guildhall-forwarded': '1' },
      },
    );
    assert.equal(status, 503);
  });
});
