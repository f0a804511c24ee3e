import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OPERATOR, type RunningHall, startHall } from '../support/hall.ts';

let hall: RunningHall;

before(async () => {
  hall = await startHall({ store: 'sqlite' });
});

after(() => hall[Symbol.asyncDispose]());

async function open(): Promise<number> {
  return (await hall.caller.get('/v1/board')).body.totals.open;
}

describe('a POST with an idempotency key', () => {
  test('a POST sent ten times at once with one idempotency key takes effect once and gets the same answer each time', async () => {
    const before = await open();
    const task = { project: 'shop', title: 'once' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => hall.caller.post('/v1/tasks', task, { key: 'ten' })),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
    const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
    assert.equal(replayed.length, 9);
    assert.equal(await open(), before + 1);
  });

  test('an idempotency key that is reused with another body is refused', async () => {
    const { status, body } = await hall.caller.post(
      '/v1/tasks',
      { project: 'shop', title: 'twice' },
      { key: 'ten' },
    );
    assert.equal(status, 422);
    assert.equal(body.code, 'key_reused');
  });

  test('the same idempotency key of another caller or for another route is a different request', async () => {
    const [task] = await hall.post();
    const paused = await hall.caller.post('/v1/projects/shop/pause', {}, { key: 'same' });
    const resumed = await hall.caller.post('/v1/projects/shop/resume', {}, { key: 'same' });
    const cancelled = await hall.caller.post(`/v1/tasks/${task}/cancel`, {}, { key: 'same' });
    for (const { status, headers } of [paused, resumed, cancelled]) {
      assert.equal(status, 200);
      assert.equal(headers['idempotency-replayed'], undefined);
    }
    const [one, two] = [await hall.worker(), await hall.worker()];
    const heartbeat = (worker: typeof one) =>
      worker.caller.post(`/v1/workers/${worker.id}/heartbeat`, {}, { key: 'same' });
    assert.equal((await heartbeat(one)).status, 200);
    assert.equal((await heartbeat(two)).status, 200);
  });

  test('the same idempotency key of a new token with the name of a revoked one is a different request', async () => {
    await using guarded = await startHall({ auth: { mode: 'tokens', token: OPERATOR } });
    const tokenOf = async () => {
      const { body } = await guarded.caller.post('/v1/tokens', { name: 'o', role: 'operator' });
      return guarded.as(body.token);
    };
    const requests = [
      ['/v1/tasks', { project: 'shop', title: 'mine' }],
      ['/v1/workers', { instance: 'dev-default', brings_model: true }],
    ] as const;
    const old = await tokenOf();
    const before = new Map<string, unknown>();
    for (const [path, body] of requests) {
      before.set(path, (await old.post(path, body, { key: 'k' })).body);
    }
    await guarded.caller.call('DELETE', '/v1/tokens/o');
    const fresh = await tokenOf();
    for (const [path, body] of requests) {
      const first = await fresh.post(path, body, { key: 'k' });
      assert.deepEqual([first.status, first.headers['idempotency-replayed']], [201, undefined]);
      assert.notDeepEqual(first.body, before.get(path));
      const again = await fresh.post(path, body, { key: 'k' });
      assert.deepEqual([again.headers['idempotency-replayed'], again.body], ['true', first.body]);
    }
    const named = { name: 'p', role: 'viewer' };
    assert.equal((await fresh.post('/v1/tokens', named, { key: 'k' })).status, 201);
    assert.deepEqual(guarded.errors, []);
  });

  test('idempotency keys work for workers, and where auth.mode is none', async () => {
    const worker = await hall.worker();
    await hall.post();
    const claims = { worker: worker.id };
    const first = await worker.caller.post('/v1/claims', claims, { key: 'mine' });
    const again = await worker.caller.post('/v1/claims', claims, { key: 'mine' });
    assert.equal(first.status, 200);
    assert.deepEqual(again.body, first.body);

    await using open = await startHall({ auth: { mode: 'none' } });
    const anyone = open.as(null);
    const registration = { instance: 'dev-default', brings_model: true };
    const joined = await anyone.post('/v1/workers', registration, { key: 'join' });
    const repeated = await anyone.post('/v1/workers', registration, { key: 'join' });
    assert.deepEqual([repeated.status, repeated.body], [201, joined.body]);
  });

  test('a refused request is not stored under its idempotency key', async () => {
    const task = { project: 'later', title: 'too early' };
    assert.equal((await hall.caller.post('/v1/tasks', task, { key: 'refused' })).status, 404);
    await hall.caller.post('/v1/projects', { name: 'later' });
    assert.equal((await hall.caller.post('/v1/tasks', task, { key: 'refused' })).status, 201);
  });

  test('an invalid idempotency key is refused', async () => {
    for (const key of ['', 'a b', 'x'.repeat(201), 'ü']) {
      const { status, body } = await hall.caller.post('/v1/pause', {}, { key });
      assert.equal(status, 400, key);
      assert.equal(body.code, 'bad_idempotency_key');
    }
  });

  test('pausing, resuming and adding a project take an idempotency key', async () => {
    const answers = [
      await hall.caller.post('/v1/pause', {}, { key: 'p' }),
      await hall.caller.post('/v1/pause', {}, { key: 'p' }),
      await hall.caller.post('/v1/resume', {}, { key: 'p' }),
      await hall.caller.post('/v1/projects', { name: 'fresh' }, { key: 'p' }),
      await hall.caller.post('/v1/projects', { name: 'fresh' }, { key: 'p' }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 201, 201],
    );
    assert.deepEqual(answers[3]?.body, answers[4]?.body);
  });
});

describe('a token whose response was lost', () => {
  test('a repeated request returns the same token, which is stored nowhere in plain text', async () => {
    const registration = { instance: 'dev-default', brings_model: true };
    const first = await hall.caller.post('/v1/workers', registration, { key: 'join-1' });
    const again = await hall.caller.post('/v1/workers', registration, { key: 'join-1' });
    assert.equal(again.status, 201);
    assert.deepEqual(again.body, first.body);
    const named = { name: 'bob', role: 'viewer' };
    const made = await hall.caller.post('/v1/tokens', named, { key: 'bob-1' });
    assert.deepEqual(
      (await hall.caller.post('/v1/tokens', named, { key: 'bob-1' })).body,
      made.body,
    );

    const secrets = [first.body.token, made.body.token];
    const { store } = hall.hall;
    const rows: string[] = [];
    for await (const row of store.dump()) rows.push(row.join(' '));
    const sealed = await store.sealed(0, 1_000);
    const everything = rows.join('\n') + JSON.stringify(sealed);
    for (const secret of secrets) assert.ok(!everything.includes(secret));
  });

  test('the stored response to a registration contains neither the token nor the idempotency key', async () => {
    const registration = { instance: 'dev-default', brings_model: true };
    const stored: string[] = [];
    const { store } = hall.hall;
    const { append } = store;
    store.append = (group) => {
      stored.push(...group.responses.map(({ key, body }) => `${key} ${body}`));
      return append.call(store, group);
    };
    const { body } = await hall.caller.post('/v1/workers', registration, { key: 'join-secretly' });
    assert.equal(stored.length, 1);
    assert.ok(!stored[0]?.includes(body.token));
    assert.ok(!stored[0]?.includes('join-secretly'));
  });
});
