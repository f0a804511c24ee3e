import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { API_STORES, STORES, writeConfig } from '../support/acceptance-stores.ts';
import { type Answer, Caller } from '../support/caller.ts';
import { expectOk, HallFixture, type Json, type WorkerFixture } from '../support/hall-fixture.ts';

const routes = Object.entries<Route>(ROUTES).filter(
  ([operation, { policy }]) => operation !== 'streamEvents' && policy !== 'webhook',
);

/** A request to a route that changes nothing, even if it is admitted. */
function tryRoute(caller: Caller, { method, path }: Route, worker = 'w-1'): Promise<Answer> {
  const named = path
    .replace('/workers/{id}', `/workers/${worker}`)
    .replace('/tasks/{id}', '/tasks/t-999999')
    .replace('/threads/{id}', '/threads/th-999999')
    .replace('/runs/{id}', '/runs/r-999999')
    .replace(/\{(name|handle)\}/, 'none-such');
  const isRead = method === 'GET';
  return caller.call(
    method,
    isRead ? named : `${named}?bogus=1`,
    isRead ? undefined : { bogus: 1 },
  );
}

/** The calls of a worker about itself and its run. */
function workerCalls(worker: WorkerFixture, claim: Json): readonly (readonly [string, object])[] {
  const run = `/v1/runs/${claim.run}`;
  const { fence } = claim;
  return [
    ['/v1/claims', { worker: worker.id }],
    [`/v1/workers/${worker.id}/heartbeat`, {}],
    [`${run}/start`, { fence }],
    [`${run}/log`, { fence, entries: ['x'] }],
    [`${run}/usage`, { fence, input_tokens: 1, output_tokens: 1 }],
    [`${run}/note`, { fence, text: 'x' }],
    [`${run}/ask`, { fence, question: 'x?' }],
    [`${run}/report`, { fence, outcome: 'completed' }],
  ];
}

for (const on of API_STORES) {
  describe(`roles and tokens, on ${on.store}`, () => {
    const shared = on.sharedHall({ hall: { auth: { mode: 'tokens' } } });
    const token = async (fixture: HallFixture, role: string) => {
      const name = `${role}-${Math.random().toString(36).slice(2)}`;
      return { name, caller: fixture.as((await fixture.post('/v1/tokens', { name, role })).token) };
    };

    shared.test(
      'GH-048: with auth.mode tokens, a request without a valid token is refused',
      async (fixture) => {
        for (const caller of [fixture.as(null), fixture.as('gh_made-up')]) {
          assert.equal((await caller.get('/v1/board')).status, 401);
          assert.equal((await caller.post('/v1/pause')).status, 401);
        }
      },
    );

    shared.test('GH-048: a viewer can read and cannot change anything', async (fixture) => {
      const { caller } = await token(fixture, 'viewer');
      for (const path of ['board', 'tasks', 'events', 'workers', 'stats']) {
        assert.equal((await caller.get(`/v1/${path}`)).status, 200, path);
      }
      assert.equal((await caller.post('/v1/pause')).status, 403);
      assert.equal((await caller.post('/v1/projects', { name: 'x' })).status, 403);
      assert.equal((await caller.get('/v1/tokens')).status, 403);
    });

    shared.test(
      'GH-048: an operator can add a project, and the history records the name of the token',
      async (fixture) => {
        const { name, caller } = await token(fixture, 'operator');
        const project = `p-${name}`;
        expectOk(await caller.post('/v1/projects', { name: project }));
        const { events } = await fixture.get('/v1/events?type=ProjectSet');
        assert.equal(events[0].actor, `operator:${name}`);
      },
    );

    shared.test(
      'GH-048: a token for workers can only register one, and the worker’s own token can only work',
      async (fixture) => {
        const { caller } = await token(fixture, 'worker');
        assert.equal((await caller.get('/v1/board')).status, 403);
        const registration = { instance: 'dev-default', brings_model: true };
        const { id, token: own } = expectOk(await caller.post('/v1/workers', registration));
        const worker = fixture.as(own);
        expectOk(await worker.post(`/v1/workers/${id}/heartbeat`));
        assert.equal((await worker.post('/v1/pause')).status, 403);
        assert.equal((await worker.post('/v1/workers', registration)).status, 403);
      },
    );

    shared.test('GH-048: a revoked token is not accepted', async (fixture) => {
      const { name, caller } = await token(fixture, 'operator');
      assert.equal((await caller.get('/v1/board')).status, 200);
      await fixture.caller.call('DELETE', `/v1/tokens/${name}`);
      assert.equal((await caller.get('/v1/board')).status, 401);
    });

    shared.test(
      'GH-060a: every endpoint but /healthz and /readyz requires the Authorization header',
      async (fixture) => {
        const nobody = fixture.as(null);
        for (const [operation, route] of Object.entries<Route>(ROUTES)) {
          const { status, headers } = await tryRoute(nobody, route);
          if (route.path === '/healthz' || route.path === '/readyz') assert.equal(status, 200);
          else assert.deepEqual([operation, status], [operation, 401]);
          if (status === 401 && route.policy !== 'webhook')
            assert.match(String(headers['www-authenticate']), /^Bearer /);
        }
      },
    );

    shared.test(
      'GH-060a: every endpoint but the event stream accepts the Authorization header',
      async (fixture) => {
        const worker = await fixture.worker();
        for (const [operation, route] of routes) {
          const caller = route.policy === 'worker' ? worker.caller : fixture.caller;
          const { status } = await tryRoute(caller, route, worker.id);
          assert.ok(status !== 401 && status !== 403, `${operation} ${status}`);
        }
      },
    );

    shared.test(
      'GH-060b: every request of a worker needs the worker’s own token',
      async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held();
        const other = await shop.worker();
        for (const [path, body] of workerCalls(worker, claim)) {
          assert.equal((await fixture.as(null).post(path, body)).status, 401, path);
          assert.equal((await fixture.caller.post(path, body)).status, 403, path);
          assert.equal((await other.caller.post(path, body)).status, 403, path);
        }
        assert.equal((await fixture.task(claim.task.id)).state, 'claimed');
        for (const [path, body] of workerCalls(worker, claim).slice(0, -2)) {
          expectOk(await worker.caller.post(path, body));
        }
      },
    );
  });
}

for (const on of STORES) {
  describe(`switching authentication on and off, on ${on.store}`, () => {
    on.test(
      'GH-048: authentication is switched on later, and tasks and runs from before remain',
      async (place) => {
        const hall = await place.start({ projects: { shop: 5 }, hall: { auth: { mode: 'none' } } });
        const anyone = new Caller(hall.url, null);
        const posted = await anyone.post('/v1/tasks', { project: 'shop', title: 'from before' });
        assert.equal(posted.status, 201);
        const registration = { instance: 'dev-default', brings_model: true };
        const { body: joined } = await anyone.post('/v1/workers', registration);
        const { body: claim } = await anyone.post('/v1/claims', { worker: joined.id });
        await hall.stop();

        const { hall: settings } = JSON.parse(await configOf(hall.config));
        writeConfig(hall, { hall: { ...settings, auth: { mode: 'tokens' } } });
        await hall.start();
        assert.equal((await anyone.get('/v1/board')).status, 401);
        using fixture = new HallFixture(hall);
        assert.equal((await fixture.task(posted.body.tasks[0].id)).title, 'from before');
        const report = { fence: claim.fence, outcome: 'completed' };
        const path = `/v1/runs/${claim.run}/report`;
        assert.equal((await anyone.post(path, report)).status, 401);
        expectOk(await fixture.as(joined.token).post(path, report));
        anyone.close();
      },
    );

    on.test(
      'GH-048: by default the hall requires the operator’s token from the data folder',
      async (place) => {
        const hall = await place.start();
        using fixture = new HallFixture(hall);
        assert.equal((await fixture.as(null).get('/v1/board')).status, 401);
        assert.equal((await fixture.caller.get('/v1/board')).status, 200);
      },
    );

    on.test(
      'GH-060a: with auth.mode none, every endpoint but the event stream accepts any Authorization header and none',
      async (place) => {
        const hall = await place.start({ hall: { auth: { mode: 'none' } } });
        const [none, any] = [new Caller(hall.url, null), new Caller(hall.url, 'whatever')];
        for (const [operation, route] of routes) {
          const [without, withAny] = [await tryRoute(none, route), await tryRoute(any, route)];
          assert.equal(without.status, withAny.status, operation);
          assert.ok(![401, 403].includes(without.status), `${operation} ${without.status}`);
        }
        none.close();
        any.close();
      },
    );
  });
}

async function configOf(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(path, 'utf8');
}
