import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import { openApi } from '../../src/api/openapi.ts';
import { HallUnreachable, ProblemReceived } from '../../src/api/problem-received.ts';
import { POLICIES, type Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { validate } from '../../src/api/validate.ts';
import { startHall } from '../support/hall.ts';

const routes = Object.entries<Route>(ROUTES);

describe('the table of routes', () => {
  test('every route has its own method and path, and a policy', () => {
    const targets = routes.map(([, { method, path }]) => `${method} ${path}`);
    assert.equal(new Set(targets).size, targets.length);
    for (const [operation, { policy }] of routes) assert.ok(POLICIES.includes(policy), operation);
  });

  test('only /healthz and /readyz are open to anyone', () => {
    const open = routes.filter(([, { policy }]) => policy === 'anyone').map(([, { path }]) => path);
    assert.deepEqual(open, ['/healthz', '/readyz']);
  });

  test('every route describes the parameters of its path', () => {
    for (const [operation, { path, params }] of routes) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(Object.keys(params?.shape ?? {}), named, operation);
    }
  });

  test('the examples of every route are valid', () => {
    for (const [operation, { body, example, answers }] of routes) {
      if (example !== undefined) {
        assert.ok(body, operation);
        assert.equal(validate(body, example).mistakes, undefined, operation);
      }
      for (const { body: answer, example: shown } of Object.values(answers)) {
        if (shown === undefined) continue;
        assert.ok(answer, operation);
        assert.equal(validate(answer, shown).mistakes, undefined, operation);
      }
    }
  });
});

describe('the OpenAPI document', () => {
  interface Operation {
    readonly operationId: string;
    readonly parameters?: readonly { readonly name: string }[];
    readonly responses: Readonly<Record<string, unknown>>;
    readonly security: readonly unknown[];
  }
  const document = openApi('1.2.3') as {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };

  test('X-010a: the OpenAPI document is served at /openapi.json and describes every route', async () => {
    await using hall = await startHall();
    const { status, body } = await hall.caller.get('/openapi.json');
    assert.equal(status, 200);
    assert.equal(body.openapi, '3.1.0');
    const described = Object.values<object>(body.paths)
      .flatMap((path) => Object.values(path))
      .map(({ operationId }: Operation) => operationId);
    assert.deepEqual(described.sort(), Object.keys(ROUTES).sort());
  });

  test('the OpenAPI document lists the Idempotency-Key of every POST, and a problem response for every operation', () => {
    for (const [operation, { method, path, policy }] of routes) {
      const described = document.paths[path]?.[method.toLowerCase()];
      const names = described?.parameters?.map(({ name }) => name) ?? [];
      const isPublic = policy === 'anyone' || policy === 'webhook';
      assert.equal(names.includes('Idempotency-Key'), method === 'POST', operation);
      assert.ok(described?.responses['default'], operation);
      assert.equal(described?.security.length, isPublic ? 0 : 1, operation);
    }
  });

  test('the OpenAPI document has no dangling references', () => {
    const text = JSON.stringify(document);
    const refs = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref]) => ref ?? '');
    assert.ok(refs.length > 50);
    for (const ref of new Set(refs)) {
      const found = ref.split('/').reduce((at: unknown, step) => {
        return (at as Record<string, unknown> | undefined)?.[step];
      }, document);
      assert.ok(found, ref);
    }
  });
});

/** A server that plays the given responses in order and records the requests. */
async function scripted(...script: readonly (readonly [number, object?, object?] | 'hang up')[]) {
  const requests: IncomingMessage[] = [];
  const left = [...script];
  const server = createServer((got, answer) => {
    requests.push(got);
    const next = left.shift();
    if (next === undefined || next === 'hang up') return void answer.destroy();
    const [status, body = {}, headers = {}] = next;
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    answer.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    requests,
    client: createClient({ url, token: 'mine' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('the client', () => {
  test('X-010b: the typed client calls operations by name and returns the response of the hall', async () => {
    await using hall = await startHall();
    const { client } = hall;
    const { tasks } = await client.call('postTasks', { body: { project: 'shop', title: 'typed' } });
    const id = tasks[0]?.id ?? assert.fail('nothing was posted');
    const detail = await client.call('getTask', { path: { id } });
    assert.equal(detail.task.title, 'typed');
    const { tasks: listed } = await client.call('listTasks', { query: { state: 'available' } });
    assert.equal(listed.length, 1);
    const registered = await client.call('registerWorker', {
      body: { instance: 'dev-default', brings_model: true },
    });
    const own = createClient({ url: hall.url, token: registered.token });
    const claim = await own.call('claimTask', { body: { worker: registered.id } });
    assert.ok(claim && 'fence' in claim);
    await own.call('reportRun', {
      path: { id: claim.run },
      body: { fence: claim.fence, outcome: 'completed' },
    });
    const none = await own.call('claimTask', { body: { worker: registered.id } });
    assert.equal(none, undefined);
    assert.match(String(await client.call('getMetrics')), /^# HELP/);
  });

  test('the client turns a problem document into an error with its fields', async () => {
    await using hall = await startHall();
    await assert.rejects(
      hall.client.call('postTasks', { body: { project: 'shop', title: '' } }),
      (fault: unknown) => {
        assert.ok(fault instanceof ProblemReceived);
        assert.equal(fault.status, 400);
        assert.equal(fault.code, 'invalid_input');
        assert.deepEqual(fault.mistakes, [{ path: 'title', message: 'must not be empty' }]);
        assert.match(fault.request ?? '', /^urn:guildhall:request:/);
        assert.match(fault.message, /^POST \/v1\/tasks failed with 400 invalid_input: /);
        return true;
      },
    );
  });

  test('the client retries under the same idempotency key after a dropped connection or a 503', async () => {
    const retry = { 'retry-after': '0' };
    await using hall = await scripted('hang up', [503, {}, retry], [200, { paused: null }]);
    await hall.client.call('pauseHall', { body: {} });
    assert.equal(hall.requests.length, 3);
    const keys = hall.requests.map(({ headers }) => headers['idempotency-key']);
    assert.equal(new Set(keys).size, 1);
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
    assert.equal(hall.requests[0]?.headers.authorization, 'Bearer mine');
  });

  test('the client gives up on a hall that does not answer, and names its address', async () => {
    const client = createClient({ url: 'http://127.0.0.1:1' });
    await assert.rejects(client.call('removeProject', { path: { name: 'shop' } }), (fault) => {
      assert.ok(fault instanceof HallUnreachable);
      assert.match(fault.message, /^no answer from http:\/\/127\.0\.0\.1:1: /);
      return true;
    });
  });

  test('the client does not repeat a refused call, and stops when it is aborted', async () => {
    await using hall = await scripted([409, { code: 'stale_fence', detail: 'no' }]);
    const body = { fence: 1 };
    await assert.rejects(hall.client.call('startRun', { path: { id: 'r-1' }, body }), {
      name: 'ProblemReceived',
      code: 'stale_fence',
    });
    assert.equal(hall.requests.length, 1);
    const stop = AbortSignal.abort();
    await assert.rejects(hall.client.call('getBoard', { signal: stop }), { name: 'AbortError' });
  });

  test('the client escapes names in paths and queries', async () => {
    await using hall = await scripted([404, {}], [200, { tasks: [], next: null }]);
    const name = '../tokens?x=1';
    await assert.rejects(hall.client.call('getProject', { path: { name } }));
    await hall.client.call('listTasks', { query: { text: 'a&state=b' } });
    assert.equal(hall.requests[0]?.url, '/v1/projects/..%2Ftokens%3Fx%3D1');
    assert.equal(hall.requests[1]?.url, '/v1/tasks?text=a%26state%3Db');
  });
});
