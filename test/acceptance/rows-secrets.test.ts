import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { startScriptedModel } from '../../src/adapters/claude/scripted/server.ts';
import { type Place, STORES } from '../support/acceptance-stores.ts';
import type { Caller } from '../support/caller.ts';
import { HallFixture, type Json, until } from '../support/hall-fixture.ts';
import type { HallInProcess } from '../support/hall-in-process.ts';
import { serving } from '../support/serving.ts';

const HELLO = 'scenes: [{ name: hello, steps: [{ say: Hello. }] }]';
const HOOK = { name: 'hook', kind: 'webhook_secret', value: 'value-of-the-hook' };

function keyOf({ folder }: HallInProcess): string {
  return join(folder, 'hall.key');
}

async function componentOf(caller: Caller, name: string): Promise<Json> {
  const { body } = await caller.get('/v1/health');
  return body.components?.find((each: Json) => each.name === name);
}

async function isHealthy(caller: Caller, status: string, says: RegExp): Promise<void> {
  await until(`secrets are ${status} and ${says}`, async () => {
    const component = await componentOf(caller, 'secrets');
    return component?.status === status && says.test(component.says);
  });
}

describe('stored credentials of the running hall', () => {
  for (const { store, test } of STORES) {
    test(`GH-062a: a credential that is set, replaced or encrypted again is used for the next call without a restart, on ${store}`, async (place) => {
      await using model = await startScriptedModel({ script: HELLO });
      const ada = { handle: 'ada', credential: 'secret:anthropic', url: model.url };
      const hall = await place.start({ projects: { shop: 9 }, invokers: [ada] });
      using fixture = new HallFixture(hall);
      assert.doesNotMatch(readFileSync(hall.config, 'utf8'), /first-value|second-value/);
      const set = (value: string) => fixture.post('/v1/secrets', { name: 'anthropic', value });

      await set('first-value');
      const worker = await fixture.worker({ brings_model: false });
      await fixture.post('/v1/tasks', [{ project: 'shop', title: 'Say hello' }]);
      const claim = (await worker.claim({ wait_seconds: 30 })).body;
      await worker.call('start', claim);
      const ask = async () => {
        const headers = {
          'x-guildhall-run': claim.run,
          'x-guildhall-fence': String(claim.fence),
        };
        const messages = [{ role: 'user', content: 'Hello.' }];
        const body = { model: 'claude-sonnet-4-6', max_tokens: 9, stream: true, messages };
        return (await worker.caller.post('/gateway/v1/messages', body, { headers })).status;
      };
      assert.equal(await ask(), 200);
      await set('second-value');
      assert.equal(await ask(), 200);
      addKey(hall);
      await fixture.post('/v1/secrets/rotate');
      assert.equal(await ask(), 200);
      await fixture.caller.call('DELETE', '/v1/secrets/anthropic');
      assert.equal(await ask(), 401);
      assert.deepEqual(
        model.requests.map(({ headers }) => headers['x-api-key']),
        ['first-value', 'second-value', 'second-value'],
      );
    });
  }
});

describe('stored secrets of a forge', () => {
  for (const { store, test } of STORES) {
    if (store !== 'SQLite') continue;
    test('a stored token is used from the next call on, and two webhook secrets are accepted while one replaces the other', async (place) => {
      const authorizations: (string | undefined)[] = [];
      await using forge = await serving(async (request, response) => {
        authorizations.push(request.headers.authorization);
        response.writeHead(500).end();
      });
      const hall = await place.start({
        declared: [{ name: 'shop', repo: 'github:acme/shop' }],
        more: { forges: { github: githubAt(forge.url) } },
      });
      using fixture = new HallFixture(hall);
      const set = (body: object) => fixture.post('/v1/secrets', body);
      const delivered = (secret: string) => deliver(hall.url, secret);
      assert.equal(await delivered('first-hook-secret'), 401);
      await set({ name: 'hook', value: 'first-hook-secret' });
      assert.equal(await delivered('first-hook-secret'), 202);
      assert.equal(authorizations.length, 0, 'no call is made without a token');

      for (const value of ['first-token', 'second-token']) {
        await set({ name: 'token', value });
        await until(`a call with ${value}`, async () => {
          await delivered('first-hook-secret');
          return authorizations.includes(`Bearer ${value}`);
        });
      }

      await set({ name: 'hook', value: 'second-hook-secret', keep_previous: true });
      assert.equal(await delivered('first-hook-secret'), 202);
      assert.equal(await delivered('second-hook-secret'), 202);
      await fixture.caller.call('DELETE', '/v1/secrets/hook?previous=true');
      assert.equal(await delivered('first-hook-secret'), 401);
      assert.equal(await delivered('second-hook-secret'), 202);
    });
  }
});

function githubAt(url: string) {
  const poll = { active: '1s', idle: '1s' };
  return { url, api_url: url, token: 'secret:token', webhook_secret: 'secret:hook', poll };
}

async function deliver(url: string, secret: string): Promise<number> {
  const body = JSON.stringify({ repository: { full_name: 'acme/shop' }, issue: { number: 1 } });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const { status } = await fetch(`${url}/v1/webhooks/github`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'issues',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  return status;
}

/** The operator's next key, above the one that there is. */
function addKey(hall: HallInProcess): void {
  const before = readFileSync(keyOf(hall), 'utf8');
  writeFileSync(keyOf(hall), `${randomBytes(32).toString('base64')}\n${before}`);
}

describe('the secrets of several nodes', () => {
  for (const { store, test } of STORES) {
    if (store !== 'PostgreSQL') continue;
    test('a node with another key or none says so in its health and refuses to store secrets, until it has the key', async (place) => {
      const { first, second, token } = await twoNodes(place);
      const [one, two] = [first.caller(token), second.caller(token)];
      try {
        assert.equal((await one.post('/v1/secrets', HOOK)).status, 200);
        await isHealthy(two, 'down', /hall\.key does not exist/);
        const refused = await two.post('/v1/secrets', HOOK);
        assert.deepEqual([refused.status, refused.body.code], [409, 'secrets_locked']);
        writeFileSync(keyOf(second), `${randomBytes(32).toString('base64')}\n`);
        second.signal('SIGHUP');
        await isHealthy(two, 'down', /is not the one that encrypts the secrets of this hall/);
        assert.equal((await two.post('/v1/secrets', HOOK)).body.code, 'secrets_locked');
        copyFileSync(keyOf(first), keyOf(second));
        second.signal('SIGHUP');
        await isHealthy(two, 'up', /1 stored/);
        assert.equal((await two.post('/v1/secrets', { ...HOOK, name: 'ring' })).status, 200);

        await first.stop();
        await until('the second node leads', async () => {
          return /is the leader/.test((await componentOf(two, 'leadership'))?.says ?? '');
        });
        const { body: unmade } = await two.post('/v1/secrets/rotate');
        assert.equal(unmade.code, 'no_new_key');
        assert.match(unmade.detail, /on each of them, put the new key into \S+hall\.key/);
        addKey(second);
        const { body: rotated } = await two.post('/v1/secrets/rotate');
        assert.deepEqual(rotated.secrets, ['hook', 'ring']);
        await first.start();
        await isHealthy(one, 'down', /is not the one that encrypts/);
      } finally {
        for (const caller of [one, two]) caller.close();
      }
    });
  }
});

/** The first of them leads. The token works on both. */
async function twoNodes(place: Place) {
  const store = await place.store();
  const node = { store, hall: { auth: { mode: 'tokens' } } };
  const first = await place.start(node);
  const second = await place.start(node);
  using fixture = new HallFixture(first);
  const { token } = await fixture.post('/v1/tokens', { name: 'ops', role: 'operator' });
  const caller = second.caller(token);
  await until('the second node knows the token', async () => {
    return (await caller.get('/v1/secrets')).status === 200;
  });
  caller.close();
  return { first, second, token };
}
