import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Policy, Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/api/routes.ts';
import type { Caller } from '../support/caller.ts';
import { OPERATOR, type RunningHall, type RunningWorker, startHall } from '../support/hall.ts';

type Role = 'nobody' | 'stranger' | 'viewer' | 'operator' | 'joiner' | 'worker';

/** What the specification lets each role do; everything else is refused. */
const MAY: Readonly<Record<Policy, readonly Role[]>> = {
  anyone: ['nobody', 'stranger', 'viewer', 'operator', 'joiner', 'worker'],
  webhook: [],
  viewer: ['viewer', 'operator'],
  viewer_or_worker: ['viewer', 'operator', 'worker'],
  operator: ['operator'],
  operator_or_worker: ['operator', 'worker'],
  join: ['operator', 'joiner'],
  worker: ['worker'],
};

let hall: RunningHall;
let worker: RunningWorker;
let other: RunningWorker;
let callers: Readonly<Record<Role, Caller>>;

before(async () => {
  hall = await startHall({ auth: { mode: 'tokens', token: OPERATOR } });
  const named = async (name: string, role: string) =>
    hall.as((await hall.caller.post('/v1/tokens', { name, role })).body.token);
  worker = await hall.worker();
  other = await hall.worker();
  callers = {
    nobody: hall.as(null),
    stranger: hall.as('gh_made-up'),
    viewer: await named('eve', 'viewer'),
    operator: await named('ada', 'operator'),
    joiner: await named('ci', 'worker'),
    worker: worker.caller,
  };
});

after(() => hall[Symbol.asyncDispose]());

function pathOf({ path }: Route): string {
  return path
    .replace('/workers/{id}', `/workers/${worker.id}`)
    .replace('/tasks/{id}', '/tasks/t-1')
    .replace('/threads/{id}', '/threads/th-1')
    .replace('/runs/{id}', '/runs/r-1')
    .replace(/\{(name|handle)\}/, 'none-such');
}

describe('every route and every role', () => {
  for (const [operation, route] of Object.entries<Route>(ROUTES)) {
    for (const role of ['nobody', 'stranger', 'viewer', 'operator', 'joiner', 'worker'] as const) {
      const may = MAY[route.policy].includes(role);
      test(`GH-060a: ${operation} ${may ? 'admits' : 'refuses'} ${role}`, async () => {
        if (operation === 'streamEvents' && may) return;
        const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : { bogus: 1 };
        const path = operation === 'dismissWorker' && may ? `${pathOf(route)}?x=1` : pathOf(route);
        const { status, headers } = await callers[role].call(route.method, path, body);
        if (may) {
          assert.ok(status !== 401 && status !== 403, `answered ${status}`);
        } else if (route.policy === 'webhook') {
          assert.equal(status, 401);
        } else if (role === 'nobody' || role === 'stranger') {
          assert.equal(status, 401);
          assert.match(String(headers['www-authenticate']), /^Bearer /);
        } else assert.equal(status, 403);
      });
    }
  }
});

describe('a refused caller', () => {
  test('a caller is refused before its body is read', async () => {
    const huge = { title: 'x'.repeat(5_000_000) };
    assert.equal((await callers.nobody.post('/v1/tasks', huge)).status, 401);
    assert.equal((await callers.viewer.post('/v1/tasks', huge)).status, 403);
  });

  test('a refused caller learns which role is needed, and no secret', async () => {
    const { body } = await callers.viewer.post('/v1/pause');
    assert.equal(body.code, 'forbidden');
    assert.match(body.detail, /only operators may do this/);
    assert.doesNotMatch(JSON.stringify(body), /gh_/);
  });
});

describe('a worker', () => {
  test('a worker cannot act for another worker', async () => {
    assert.equal((await worker.caller.post('/v1/claims', { worker: other.id })).status, 403);
    assert.equal((await worker.caller.post(`/v1/workers/${other.id}/heartbeat`)).status, 403);
    assert.equal((await worker.caller.call('DELETE', `/v1/workers/${other.id}`)).status, 403);
  });

  test('an operator cannot act for a worker', async () => {
    assert.equal((await hall.caller.post('/v1/claims', { worker: worker.id })).status, 403);
    assert.equal((await hall.caller.post(`/v1/workers/${worker.id}/heartbeat`)).status, 403);
  });

  test('GH-060b: a worker cannot change the run of another worker', async () => {
    await hall.post();
    const claim = (await worker.caller.post('/v1/claims', { worker: worker.id })).body;
    for (const verb of ['start', 'log', 'usage', 'note', 'ask', 'report']) {
      const content = {
        start: {},
        log: { entries: ['x'] },
        usage: { input_tokens: 1, output_tokens: 1 },
        note: { text: 'x' },
        ask: { question: 'x?' },
        report: { outcome: 'completed' },
      }[verb];
      const path = `/v1/runs/${claim.run}/${verb}`;
      const { status, body } = await other.caller.post(path, { fence: claim.fence, ...content });
      assert.equal(status, 403, verb);
      assert.equal(body.code, 'not_your_run');
    }
  });

  test('a worker sees its own task and run, and cannot tell whether others exist', async () => {
    const claim = (await worker.caller.post('/v1/claims', { worker: worker.id })).body;
    const paths = [
      `/v1/tasks/${claim.task.id}`,
      `/v1/tasks/${claim.task.id}/log`,
      `/v1/runs/${claim.run}`,
      `/v1/runs/${claim.run}/transcript`,
    ];
    for (const path of paths) {
      assert.equal((await worker.caller.get(path)).status, 200, path);
      const hidden = await other.caller.get(path);
      const absent = await other.caller.get(path.replace(/-\d+/, '-999999'));
      assert.equal(hidden.status, 404, path);
      assert.equal(hidden.body.code, absent.body.code);
    }
  });

  test('the token of a worker is not accepted after the worker has left', async () => {
    const leaver = await hall.worker();
    const left = await leaver.caller.call('DELETE', `/v1/workers/${leaver.id}`);
    assert.equal(left.status, 204);
    assert.equal((await leaver.caller.post('/v1/claims', { worker: leaver.id })).status, 401);
  });
});

describe('a named token', () => {
  test('a named token is listed without its secret, and is not accepted after it is revoked', async () => {
    const { body: made } = await hall.caller.post('/v1/tokens', { name: 'bob', role: 'viewer' });
    const bob = hall.as(made.token);
    assert.equal((await bob.get('/v1/board')).status, 200);
    const { body: listed } = await hall.caller.get('/v1/tokens');
    assert.ok(listed.tokens.some(({ name }: { name: string }) => name === 'bob'));
    assert.doesNotMatch(JSON.stringify(listed), new RegExp(made.token));
    assert.equal((await hall.caller.call('DELETE', '/v1/tokens/bob')).status, 204);
    assert.equal((await bob.get('/v1/board')).status, 401);
    assert.equal((await hall.caller.call('DELETE', '/v1/tokens/bob')).status, 404);
  });

  test('revoking a token ends the workers it registered, releases their tasks, and leaves other workers alone', async () => {
    const { body: made } = await hall.caller.post('/v1/tokens', { name: 'barn', role: 'worker' });
    const joiner = hall.as(made.token);
    const { body: joined } = await joiner.post('/v1/workers', {
      instance: 'dev-default',
      brings_model: true,
    });
    const guest = hall.as(joined.token);
    const bystander = await hall.worker();
    await hall.post();
    const { body: claim } = await guest.post('/v1/claims', { worker: joined.id });

    assert.equal((await hall.caller.call('DELETE', '/v1/tokens/barn')).status, 204);

    const report = { fence: claim.fence, outcome: 'completed' };
    const refused = await guest.post(`/v1/runs/${claim.run}/report`, report);
    assert.equal(refused.status, 401);
    assert.equal(refused.body.code, 'worker_dismissed');
    assert.match(refused.body.detail, /token barn was revoked/);
    assert.equal((await guest.post(`/v1/workers/${joined.id}/heartbeat`)).status, 401);
    assert.equal((await joiner.post('/v1/workers', { instance: 'dev-default' })).status, 401);
    const { body: task } = await hall.caller.get(`/v1/tasks/${claim.task.id}`);
    assert.equal(task.task.state, 'available');
    const { body: listed } = await hall.caller.get('/v1/workers');
    const ids = listed.workers.map(({ id }: { id: string }) => id);
    assert.deepEqual([ids.includes(joined.id), ids.includes(bystander.id)], [false, true]);
    assert.equal(
      (await bystander.caller.post(`/v1/workers/${bystander.id}/heartbeat`)).status,
      200,
    );
  });

  test('the name of a token must be unique', async () => {
    const { status, body } = await hall.caller.post('/v1/tokens', { name: 'ada', role: 'viewer' });
    assert.equal(status, 409);
    assert.equal(body.code, 'name_taken');
    const own = await hall.caller.post('/v1/tokens', { name: 'local', role: 'viewer' });
    assert.equal(own.body.code, 'name_taken');
  });

  test('changes made with a named token are recorded under its name', async () => {
    await callers.operator.post('/v1/pause', { because: 'lunch' });
    await callers.operator.post('/v1/resume');
    const { body } = await hall.caller.get('/v1/events?type=HallPaused');
    assert.equal(body.events[0].actor, 'operator:ada');
    assert.equal(body.events[0].cause, 'api: pauseHall');
  });
});

describe('the modes of authentication', () => {
  test('GH-048: auth.mode local accepts only the operator’s token', async () => {
    await using local = await startHall();
    assert.equal((await local.as(null).get('/v1/board')).status, 401);
    assert.equal((await local.caller.get('/v1/board')).status, 200);
    const { body } = await local.caller.post('/v1/tokens', { name: 'bob', role: 'viewer' });
    assert.match(body.note, /auth\.mode is local.*not this one; set hall\.auth\.mode to tokens/);
    const shut = await local.as(body.token).get('/v1/board');
    assert.equal(shut.status, 401);
    assert.match(shut.body.detail, /token "bob" is not accepted while auth\.mode is local/);
  });

  test('GH-048: auth.mode none accepts any token or no token, and takes workers at their word about who they are', async () => {
    await using open = await startHall({ auth: { mode: 'none' } });
    const anyone = open.as(null);
    assert.equal((await anyone.get('/v1/board')).status, 200);
    assert.equal((await open.as('whatever').get('/v1/board')).status, 200);
    await open.post();
    const { body: joined } = await anyone.post('/v1/workers', {
      instance: 'dev-default',
      brings_model: true,
    });
    const { body: claim } = await anyone.post('/v1/claims', { worker: joined.id });
    const path = `/v1/runs/${claim.run}/report`;
    const report = { fence: claim.fence, outcome: 'completed', summary: 'done' };
    assert.equal((await anyone.post(path, { ...report, fence: 1 })).status, 409);
    assert.equal((await anyone.post(path, report)).status, 200);
    assert.equal((await anyone.post('/v1/claims', { worker: 'w-999' })).status, 404);
  });

  test('a token in the query string is not accepted', async () => {
    const { status } = await hall.as(null).get(`/v1/board?token=${hall.token}`);
    assert.equal(status, 401);
    assert.equal((await hall.caller.get('/v1/board?token=x')).status, 400);
  });
});
