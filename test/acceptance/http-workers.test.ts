import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningHall, type RunningWorker, startHall } from '../support/hall.ts';
import { until } from '../support/hall-fixture.ts';
import { createManualClock } from '../support/manual-clock.ts';

let hall: RunningHall;

before(async () => {
  hall = await startHall({ projects: { shop: { maxWorkers: 2 }, site: {}, empty: {} } });
});

after(() => hall[Symbol.asyncDispose]());

/** How many long polls are open. */
function waiters(): number | undefined {
  return hall.hall.leading()?.writer.waiters.size;
}

function claim(worker: RunningWorker, options: object = {}) {
  return worker.caller.post('/v1/claims', { worker: worker.id, ...options });
}

async function finish(worker: RunningWorker, { run, fence }: { run: string; fence: number }) {
  const report = { fence, outcome: 'completed', summary: 'done' };
  assert.equal((await worker.caller.post(`/v1/runs/${run}/report`, report)).status, 200);
}

describe('a worker', () => {
  test('a worker registers as an instance and is told its lease and heartbeat interval', async () => {
    const { status, body } = await hall.caller.post('/v1/workers', {
      instance: 'dev-default',
      projects: ['shop'],
      brings_model: true,
      host: 'build-1',
    });
    assert.equal(status, 201);
    assert.match(body.token, /^ghw_[\w-]{43}$/);
    assert.equal(body.lease_seconds, 360);
    assert.equal(body.heartbeat_seconds, 180);
    const { body: listed } = await hall.caller.get('/v1/workers');
    const shown = listed.workers.find(({ id }: { id: string }) => id === body.id);
    assert.deepEqual(shown.projects, ['shop']);
    assert.equal(shown.host, 'build-1');
    assert.doesNotMatch(JSON.stringify(listed), /ghw_/);
  });

  test('a worker of an unknown instance or project is refused', async () => {
    const strange = await hall.caller.post('/v1/workers', { instance: 'nobody' });
    assert.equal(strange.status, 404);
    assert.match(strange.body.detail, /dev-default/);
    const lost = { instance: 'dev-default', projects: ['nowhere'] };
    assert.equal((await hall.caller.post('/v1/workers', lost)).status, 404);
  });

  test('GH-T02: a worker claims and receives an available task, which is marked claimed', async () => {
    const worker = await hall.worker();
    const [task] = await hall.post({ title: 'the task', body: 'what to do', labels: ['ui'] });
    const { status, body } = await claim(worker);
    assert.equal(status, 200);
    assert.equal(body.task.id, task);
    assert.equal(body.task.title, 'the task');
    assert.equal(body.task.body, 'what to do');
    assert.deepEqual(body.task.labels, ['ui']);
    assert.deepEqual([body.target_seconds, body.limit_seconds], [3_600, 7_200]);
    assert.ok(body.fence > 0);
    const { body: shown } = await hall.caller.get(`/v1/tasks/${task}`);
    assert.equal(shown.task.state, 'claimed');
    assert.equal(shown.task.run, body.run);

    const again = await claim(worker);
    assert.deepEqual(again.body, body, 'a lost answer is given again');
    await worker.caller.post(`/v1/runs/${body.run}/start`, { fence: body.fence });
    assert.equal((await claim(worker)).body.code, 'worker_busy');
    await finish(worker, body);
  });

  test('GH-T06 GH-022: a third claim is blocked while a project with max_workers 2 runs two tasks', async () => {
    const workers = [await hall.worker(), await hall.worker(), await hall.worker()];
    await hall.post([{}, {}, {}]);
    const answers = await Promise.all(workers.map((worker) => claim(worker)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 204]);

    const third = workers[answers.findIndex(({ status }) => status === 204)] as RunningWorker;
    const { body } = await claim(third, { explain: true });
    assert.equal(body.run, null);
    const shop = body.reasons.find(({ project }: { project: string }) => project === 'shop');
    assert.equal(shop.rule, 'project_at_capacity');
    assert.match(shop.because, /shop runs 2 of 2 workers/);

    for (const [n, { status, body: granted }] of answers.entries()) {
      if (status === 200) await finish(workers[n] as RunningWorker, granted);
    }
    const last = await claim(third);
    assert.equal(last.status, 200);
    await finish(third, last.body);
  });

  test('GH-T08: a worker of one project cannot claim a task of another', async () => {
    const worker = await hall.worker({ projects: ['site'] });
    await hall.post({ project: 'shop' });
    assert.equal((await claim(worker)).status, 204);
    const { body } = await claim(worker, { explain: true });
    const shop = body.reasons.find(({ project }: { project: string }) => project === 'shop');
    assert.equal(shop.rule, 'project_not_allowed');
    const anywhere = await hall.worker();
    await finish(anywhere, (await claim(anywhere)).body);
  });

  test('a worker is told that there is no claimable task, and why', async () => {
    const worker = await hall.worker({ projects: ['empty'] });
    const { status, body } = await claim(worker);
    assert.equal(status, 204);
    assert.equal(body, '');
    const explained = await claim(worker, { explain: true });
    const empty = explained.body.reasons.find(
      ({ project }: { project: string }) => project === 'empty',
    );
    assert.equal(empty.rule, 'nothing_claimable');
  });

  test('a worker without its own model is told that no invoker pays', async () => {
    const worker = await hall.worker({ brings_model: false });
    const [task] = await hall.post({ project: 'site' });
    const { body } = await claim(worker, { explain: true });
    assert.ok(body.reasons.some(({ rule }: { rule: string }) => rule === 'no_invoker'));
    await hall.caller.post(`/v1/tasks/${task}/cancel`);
  });

  test('a draining worker is ordered to drain and is given no task', async () => {
    const worker = await hall.worker();
    const drained = await hall.caller.post(`/v1/workers/${worker.id}/drain`);
    assert.equal(drained.body.draining, true);
    const { body } = await worker.caller.post(`/v1/workers/${worker.id}/heartbeat`);
    assert.deepEqual(body, { orders: 'drain', run: null, reason: 'the worker is draining' });
    const [task] = await hall.post();
    assert.equal((await claim(worker)).status, 204);
    await hall.caller.post(`/v1/tasks/${task}/cancel`);
  });

  test('the task of a worker that leaves becomes available again and counts no crash', async () => {
    const worker = await hall.worker();
    const [task] = await hall.post();
    await claim(worker);
    const left = await worker.caller.call('DELETE', `/v1/workers/${worker.id}?because=shutdown`);
    assert.equal(left.status, 204);
    const { body } = await hall.caller.get(`/v1/tasks/${task}`);
    assert.equal(body.task.state, 'available');
    assert.equal(body.task.crashes, 0);
    await hall.caller.post(`/v1/tasks/${task}/cancel`);
  });
});

describe('waiting claims', () => {
  test('a waiting claim returns a task that is posted meanwhile', async () => {
    const worker = await hall.worker();
    const waiting = claim(worker, { wait_seconds: 60 });
    await until('it waits', () => waiters() === 1);
    const [task] = await hall.post({ title: 'just in time' });
    const { status, body } = await waiting;
    assert.equal(status, 200);
    assert.equal(body.task.id, task);
    await finish(worker, body);
  });

  test('a waiting claim returns no task after its time is over', async () => {
    const worker = await hall.worker();
    const started = performance.now();
    assert.equal((await claim(worker, { wait_seconds: 0.2 })).status, 204);
    assert.ok(performance.now() - started >= 190);
  });

  test('a posted task goes to one of several waiting claims, and the others keep waiting', async () => {
    const workers = await Promise.all(Array.from({ length: 5 }, () => hall.worker()));
    const waiting = workers.map(async (worker) => ({
      worker,
      granted: await claim(worker, { wait_seconds: 60 }),
    }));
    await until('all of them wait', () => waiters() === 5);
    await hall.post();
    const { worker, granted } = await Promise.race(waiting);
    assert.equal(granted.status, 200);
    assert.equal(waiters(), 4, 'the others wait on');
    await finish(worker, granted.body);
    for (const { caller } of workers) caller.close();
    const ends = await Promise.allSettled(waiting);
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
    await until('nobody waits any more', () => waiters() === 0);
  });

  test('a waiting claim ends when its client disconnects', async () => {
    const worker = await hall.worker();
    const sent = request(`${hall.url}/v1/claims`, {
      method: 'POST',
      headers: { authorization: `Bearer ${worker.token}`, 'content-type': 'application/json' },
    });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify({ worker: worker.id, wait_seconds: 30 }));
    await until('it waits', () => waiters() === 1);
    sent.destroy();
    await until('it is given up', () => waiters() === 0);
    const [task] = await hall.post();
    assert.equal((await hall.caller.get(`/v1/tasks/${task}`)).body.task.state, 'available');
    await hall.caller.post(`/v1/tasks/${task}/cancel`);
  });

  test('a claim can wait for at most 60 seconds', async () => {
    const worker = await hall.worker();
    assert.equal((await claim(worker, { wait_seconds: 61 })).status, 400);
    assert.equal((await claim(worker, { wait_seconds: -1 })).status, 400);
  });
});

describe('a heartbeat', () => {
  test('GH-T11: a heartbeat updates last_seen of a worker in the list of active workers', async () => {
    const clock = createManualClock();
    await using quiet = await startHall({ clock });
    const worker = await quiet.worker();
    const lastSeen = async () => (await quiet.caller.get('/v1/workers')).body.workers[0].last_seen;
    const first = await lastSeen();
    clock.pass(60_000);
    assert.equal(await lastSeen(), first);
    const { body } = await worker.caller.post(`/v1/workers/${worker.id}/heartbeat`);
    assert.deepEqual(body, { orders: 'continue', run: null, reason: null });
    assert.equal(Date.parse(await lastSeen()) - Date.parse(first), 60_000);
  });

  test('a heartbeat appends no event', async () => {
    const worker = await hall.worker();
    const { body: before } = await hall.caller.get('/v1/board');
    await worker.caller.post(`/v1/workers/${worker.id}/heartbeat`);
    const { body: then } = await hall.caller.get('/v1/board');
    assert.equal(then.seq, before.seq);
  });

  test('a heartbeat for a run that the worker no longer holds is answered with stop', async () => {
    const worker = await hall.worker();
    await hall.post();
    const { body: granted } = await claim(worker);
    const path = `/v1/workers/${worker.id}/heartbeat`;
    const going = await worker.caller.post(path, { run: granted.run, fence: granted.fence });
    assert.equal(going.body.orders, 'continue');
    assert.equal(going.body.run, granted.run);
    assert.equal((await worker.caller.post(path, { run: 'r-1' })).body.orders, 'stop');
    const stale = { run: granted.run, fence: granted.fence - 1 };
    assert.equal((await worker.caller.post(path, stale)).body.orders, 'stop');
    await hall.caller.post(`/v1/tasks/${granted.task.id}/cancel`);
    const gone = await worker.caller.post(path, { run: granted.run, fence: granted.fence });
    assert.equal(gone.body.orders, 'stop');
  });

  test('GH-T07 GH-026 GH-030a: a worker without a heartbeat for longer than the lease is dead and its task is released', async () => {
    const clock = createManualClock();
    await using silent = await startHall({ clock, tickSeconds: 1 });
    const [worker, alive] = [await silent.worker(), await silent.worker()];
    const [task] = await silent.post();
    const { body: granted } = await claim(worker);
    await worker.caller.post(`/v1/runs/${granted.run}/start`, { fence: granted.fence });
    for (let minute = 0; minute < 7; minute += 1) {
      await alive.caller.post(`/v1/workers/${alive.id}/heartbeat`);
      for (let second = 0; second < 60; second += 1) {
        clock.pass(1_000);
        await sleep(0);
      }
    }
    const { body: listed } = await silent.caller.get('/v1/workers');
    assert.deepEqual(
      listed.workers.map(({ id }: { id: string }) => id),
      [alive.id],
    );
    const { body } = await silent.caller.get(`/v1/tasks/${task}`);
    assert.equal(body.task.state, 'available');
    assert.equal(body.task.crashes, 1);
    assert.equal(body.runs[0].ending.how, 'lost');
    const report = { fence: granted.fence, outcome: 'completed' };
    for (const [path, content] of [
      ['/v1/claims', { worker: worker.id }],
      [`/v1/workers/${worker.id}/heartbeat`, {}],
      [`/v1/runs/${granted.run}/report`, report],
    ] as const) {
      const late = await worker.caller.post(path, content);
      assert.deepEqual([late.status, late.body.code], [401, 'worker_dismissed'], path);
      assert.match(
        late.body.detail,
        new RegExp(`${worker.id} was dismissed \\(silent for 360 s\\)`),
      );
      assert.match(late.body.detail, /POST \/v1\/workers/);
    }
    assert.equal((await silent.caller.get(`/v1/tasks/${task}`)).body.task.state, 'available');
  });

  test('a worker token that the hall does not know is answered with how to register', async () => {
    const { status, body } = await hall.as('ghw_from-before').get('/v1/runs/r-1');
    assert.deepEqual([status, body.code], [401, 'unauthenticated']);
    assert.match(body.detail, /must register again with POST \/v1\/workers/);
  });
});
