import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { createClock } from '../../src/adapters/system/clock.ts';
import type { Hall } from '../../src/board/hall.ts';
import { runChores } from '../../src/board/maintenance.ts';
import { CALL, CANARY, type GatewayFixture, gatewayFixture } from '../support/gateway-fixture.ts';
import { startHall } from '../support/hall.ts';
import { until } from '../support/hall-fixture.ts';

const HELLO = `
  scenes:
    - name: hello
      steps:
        - usage: { input: 1000, output: 200, cache_read: 2000, cache_write: 400 }
        - say: Hello.`;

describe('a model call through the gateway', () => {
  it('a model call through the gateway uses the invoker’s credential and streams the provider’s response', async () => {
    await using fixture = await gatewayFixture(HELLO);
    const run = await fixture.held();
    const { status, body, headers } = await fixture.ask(run);
    assert.equal(status, 200);
    assert.match(headers['content-type'] as string, /event-stream/);
    assert.match(body, /event: message_start[\s\S]+text_delta[\s\S]+event: message_stop/);
    assert.equal(fixture.model.requests[0]?.headers['x-api-key'], CANARY);
    assert.equal(headers['anthropic-ratelimit-requests-limit'], '4000');
    assert.doesNotMatch(body + JSON.stringify(headers), new RegExp(CANARY));
  });

  it('the first response of a run spends its credit, and tokens and cost are recorded on the run', async () => {
    await using fixture = await gatewayFixture(HELLO);
    const held = await fixture.held();
    const before = await invoker(fixture);
    assert.deepEqual([before.reserved, before.used], [1, 0]);
    await fixture.ask(held);
    const after = await invoker(fixture);
    assert.deepEqual([after.reserved, after.used], [0, 1]);
    const usage = await usageOf(fixture, held.run);
    assert.equal(usage.input_tokens, 3400);
    assert.equal(usage.output_tokens, 200);
    assert.equal(usage.turns, 1);
    // (1000 + 0.1 · 2000 + 1.25 · 400) · $3 + 200 · $15 in a million
    assert.equal(usage.cost_usd.toFixed(6), '0.008100');
    await fixture.ask(held, { body: { ...CALL, stream: false } });
    assert.equal((await usageOf(fixture, held.run)).turns, 2);
    const { body } = await fixture.hall.caller.get(
      `/v1/events?task=${held.task}&type=UsageRecorded`,
    );
    assert.equal(body.events.length, 3, 'two for the first call, one for each later');
  });

  it('counting tokens through the gateway spends no credit', async () => {
    await using fixture = await gatewayFixture(HELLO);
    const held = await fixture.held();
    const { status, body } = await fixture.ask(held, { path: '/gateway/v1/messages/count_tokens' });
    assert.equal(status, 200);
    assert.equal(typeof body.input_tokens, 'number');
    assert.equal((await invoker(fixture)).used, 0);
  });

  it('the gateway refuses a model call of a run that has reached the budget of its project', async () => {
    await using fixture = await gatewayFixture(HELLO, { projects: { shop: { budgetUsd: 0.01 } } });
    const held = await fixture.held();
    assert.equal((await fixture.ask(held)).status, 200);
    assert.equal((await fixture.ask(held)).status, 200);
    const { status, body, headers } = await fixture.ask(held);
    assert.equal(status, 402);
    assert.equal(headers['x-guildhall-failure'], 'ceiling');
    assert.match(body.error.message, /has cost \$0\.02; its budget is \$0\.01/);
    assert.equal(fixture.model.requests.length, 2);
  });
});

describe('the gateway', () => {
  it('A43: the gateway answers only the worker of the run, under its current fence', async () => {
    await using fixture = await gatewayFixture(HELLO);
    const mine = await fixture.held();
    const other = await fixture.held();
    const matrix = [
      [{ token: null }, 401, 'stale_fence'],
      [{ token: 'ghw_no-such-token' }, 401, 'stale_fence'],
      [{ token: fixture.hall.token }, 403, 'refused'],
      [{ token: other.worker.token }, 403, 'stale_fence'],
      [{ headers: { 'x-guildhall-fence': String(mine.fence - 1) } }, 409, 'stale_fence'],
      [{ headers: { 'x-guildhall-run': other.run } }, 409, 'stale_fence'],
      [{ headers: { 'x-guildhall-run': 'r-x' } }, 400, 'refused'],
      [{ headers: { 'x-guildhall-fence': '1e3' } }, 400, 'refused'],
    ] as const;
    for (const [request, status, failure] of matrix) {
      const answer = await fixture.ask(mine, request);
      const got = [answer.status, answer.headers['x-guildhall-failure']];
      assert.deepEqual(got, [status, failure], JSON.stringify(request));
    }
    await mine.worker.caller.post(`/v1/runs/${mine.run}/report`, {
      fence: mine.fence,
      outcome: 'completed',
      summary: 'done',
    });
    const { status, headers } = await fixture.ask(mine);
    assert.deepEqual([status, headers['x-guildhall-failure']], [409, 'stale_fence']);
    assert.equal(fixture.model.requests.length, 0, 'nothing of it reached the provider');
  });

  it('the gateway accepts only two paths, and forwards only the headers that it knows', async () => {
    await using fixture = await gatewayFixture(HELLO);
    const held = await fixture.held();
    for (const path of [
      '/gateway',
      '/gateway/v1/complete',
      '/gateway/v1/messages/',
      '/gateway/v1/messages/../files',
      '/gateway/v1/messages?beta=false',
      '/gateway/v1/messages?beta=true&x=1',
      '/gateway//v1/messages',
      '/gateway/v1/messages%2fbatches',
    ]) {
      assert.equal((await fixture.ask(held, { path })).status, 404, path);
    }
    assert.equal((await fixture.ask(held, { method: 'PUT' })).status, 404);
    await fixture.ask(held, {
      headers: {
        'x-api-key': 'mine',
        cookie: 'a=b',
        'x-forwarded-for': '::1',
        'anthropic-beta': 'b1',
      },
    });
    const sent = fixture.model.requests.at(-1)?.headers ?? {};
    assert.equal(sent['x-api-key'], CANARY);
    assert.equal(sent['anthropic-beta'], 'b1');
    for (const name of ['cookie', 'x-forwarded-for', 'authorization', 'x-guildhall-run']) {
      assert.equal(sent[name], undefined, name);
    }
  });

  it('the gateway sends an OAuth token of a person as a bearer token', async () => {
    const credential = 'sk-ant-oat01-canary';
    await using fixture = await gatewayFixture(HELLO, {
      app: { accountOf: () => ({ url: fixture.model.url, credential }) },
    });
    await fixture.ask(await fixture.held());
    const { headers } = fixture.model.requests[0] ?? assert.fail('the model was not asked');
    assert.equal(headers['authorization'], `Bearer ${credential}`);
    assert.equal(headers['x-api-key'], undefined);
    assert.match(headers['anthropic-beta'] ?? '', /oauth/);
  });

  it('the gateway follows no redirect and does not repeat a credential that the provider echoes', async () => {
    await using elsewhere = await providerThat((response, key) => {
      response.writeHead(401, { 'content-type': 'application/json', 'set-cookie': 'x=1' });
      response.end(
        JSON.stringify({ error: { type: 'authentication_error', message: `bad ${key}` } }),
      );
    });
    await using turning = await providerThat((response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const accounts = [turning.url, elsewhere.url];
    await using fixture = await gatewayFixture(HELLO, {
      app: { accountOf: () => ({ url: accounts[0] ?? '', credential: CANARY }) },
    });
    const held = await fixture.held();
    assert.equal((await fixture.ask(held)).status, 502);
    assert.equal(elsewhere.requests(), 0);
    accounts.shift();
    const { status, body, headers } = await fixture.ask(held);
    assert.equal(status, 401);
    assert.equal(headers['set-cookie'], undefined);
    assert.doesNotMatch(JSON.stringify(body), new RegExp(CANARY));
    const events = await fixture.hall.caller.get('/v1/events?limit=1000');
    assert.doesNotMatch(JSON.stringify([events.body, fixture.hall.errors]), new RegExp(CANARY));
  });
});

describe('an active model call', () => {
  const SLOW = `
    scenes:
      - name: slow
        steps:
          - pace: 20ms
          - say: ${'A piece of a long answer. '.repeat(200)}`;

  it('an active model call is aborted when its run ends', async () => {
    await using fixture = await gatewayFixture(SLOW);
    const held = await fixture.held();
    const asking = assert.rejects(fixture.ask(held), /aborted|hang up|ECONNRESET/);
    await until('it is answered', async () => (await invoker(fixture)).used > 0);
    await fixture.hall.caller.post(`/v1/tasks/${held.task}/release`);
    await asking;
  });

  it('a run may have four model calls at once, and other runs are not held up', async () => {
    await using fixture = await gatewayFixture(SLOW);
    const [held, other] = [await fixture.held(), await fixture.held()];
    const asking = Promise.allSettled(Array.from({ length: 4 }, () => fixture.ask(held)));
    await until('four are under way', () => fixture.model.requests.length >= 4);
    const { status, body } = await fixture.ask(held);
    assert.equal(status, 429);
    assert.match(body.error.message, /at most 4 model calls at once/);
    const count = { path: '/gateway/v1/messages/count_tokens' };
    assert.equal((await fixture.ask(other, count)).status, 200);
    await fixture.hall.caller.post(`/v1/tasks/${held.task}/release`);
    await asking;
  });

  it('a follower streams model calls through the leader, and refuses them without one', async () => {
    await using fixture = await gatewayFixture(SLOW);
    const leader: { url: string | undefined } = { url: fixture.hall.url };
    const following: Hall = {
      ...fixture.hall.hall,
      leading: () => undefined,
      leaderUrl: () => leader.url,
    };
    await using follower = await startHall({ hall: following });
    const held = await fixture.held();
    const headers = {
      authorization: `Bearer ${held.worker.token}`,
      'content-type': 'application/json',
      'x-guildhall-run': held.run,
      'x-guildhall-fence': String(held.fence),
    };
    const callModel = (more: object = {}) =>
      fetch(`${follower.url}/gateway/v1/messages`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(CALL),
      });
    const answer = await callModel();
    const reader = answer.body?.getReader() ?? assert.fail('no body');
    const { value } = await reader.read();
    assert.match(new TextDecoder().decode(value), /message_start/);
    await reader.cancel();
    assert.equal((await callModel({ 'x-guildhall-fence': '1' })).status, 409);
    assert.equal((await callModel({ authorization: 'Bearer nobody' })).status, 401);
    leader.url = undefined;
    const away = await callModel();
    assert.deepEqual([away.status, away.headers.get('x-guildhall-failure')], [503, 'away']);
  });
});

describe('a limit of the provider', () => {
  const WALL = `
    scenes:
      - name: wall
        steps:
          - fail:
              status: 429
              headers: { anthropic-ratelimit-unified-reset: '@3600s', retry-after: '5' }
          - say: Hello.`;

  it('a rate limit of the provider parks the invoker until it resets, and task why names the same rule', async () => {
    let ahead = 0;
    const clock = { ...createClock(), now: () => Date.now() + ahead };
    await using fixture = await gatewayFixture(WALL, { clock });
    const held = await fixture.held();
    const began = Date.now();
    const { status, headers } = await fixture.ask(held);
    assert.equal(status, 429);
    assert.equal(headers['x-guildhall-failure'], 'quota');
    const resetsAt = Number(headers['x-guildhall-resets-at']);
    // The header has whole seconds.
    const anHourBefore = resetsAt - 3_600_000;
    assert.ok(anHourBefore > began - 1_000 && anHourBefore < Date.now() + 1_000, `${resetsAt}`);

    const { parked_until, parked_because } = await invoker(fixture);
    assert.equal(Date.parse(parked_until), resetsAt);
    assert.match(parked_because, /answered 429 rate_limit_error/);

    const [task] = await fixture.hall.post();
    const next = await fixture.hall.worker({ brings_model: false });
    assert.equal((await next.caller.post('/v1/claims', { worker: next.id })).status, 204);
    const { body } = await fixture.hall.caller.get(`/v1/tasks/${task}/why`);
    const reason = JSON.stringify(body);
    assert.match(reason, /invoker_parked/);
    assert.match(reason, /ada opens again at/);

    ahead = 3_610_000;
    await doChores(fixture);
    assert.equal((await invoker(fixture)).parked_until, null);
    assert.equal((await next.caller.post('/v1/claims', { worker: next.id })).status, 200);
  });

  it('the gateway distinguishes a refused credential, an overload and a bad request', async () => {
    const fail = (status: number, prompt: string) => `
      - name: ${prompt}
        when: { prompt: ${prompt} }
        steps: [{ fail: { status: ${status}, times: always } }]`;
    await using fixture = await gatewayFixture(
      `scenes:${fail(401, 'auth')}${fail(529, 'busy')}${fail(400, 'bad')}`,
    );
    const held = await fixture.held();
    const failureOf = async (content: string) => {
      const body = { ...CALL, messages: [{ role: 'user', content }] };
      return (await fixture.ask(held, { body })).headers['x-guildhall-failure'];
    };
    assert.equal(await failureOf('bad'), 'refused');
    assert.equal((await invoker(fixture)).parked_until, null);
    assert.equal(await failureOf('busy'), 'overloaded');
    assert.equal(await failureOf('auth'), 'auth');
    assert.match((await invoker(fixture)).parked_because, /answered 401/);
  });
});

describe('an unreachable provider', () => {
  it('an unreachable provider counts as overloaded and does not park the invoker', async () => {
    const gone = await providerThat((response) => response.end());
    await gone[Symbol.asyncDispose]();
    await using fixture = await gatewayFixture(HELLO, {
      app: { accountOf: () => ({ url: gone.url, credential: CANARY }) },
    });
    const { status, headers } = await fixture.ask(await fixture.held());
    assert.deepEqual([status, headers['x-guildhall-failure']], [502, 'overloaded']);
    assert.equal(headers['x-guildhall-resets-at'], undefined);
    assert.equal((await invoker(fixture)).parked_until, null);
  });
});

async function doChores({ hall }: GatewayFixture): Promise<void> {
  const leading = hall.hall.leading() ?? assert.fail('the hall does not lead');
  await runChores({ ...leading, clock: hall.hall.clock, times: hall.hall.times });
}

async function invoker({ hall }: GatewayFixture) {
  const { body } = await hall.caller.get('/v1/invokers');
  return body.invokers[0];
}

async function usageOf({ hall }: GatewayFixture, run: string) {
  return (await hall.caller.get(`/v1/runs/${run}`)).body.usage;
}

type Reply = Parameters<Parameters<typeof createServer>[1] & object>[1];

async function providerThat(answer: (response: Reply, key: string) => void) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => answer(response, String(request.headers['x-api-key'])));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
