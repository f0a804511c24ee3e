import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/memory/store.ts';
import { createLog } from '../../src/adapters/system/log.ts';
import type { SecretUse } from '../../src/domain/secret.ts';
import { usable } from '../contracts/secrets-key.contract.ts';
import { type HallOptions, OPERATOR, type RunningHall, startHall } from '../support/hall.ts';

const VALUE = 'hook-value-5f1c';
const HOOK = { name: 'hook', kind: 'webhook_secret', value: VALUE };
const CREDENTIAL: SecretUse = {
  name: 'anthropic',
  kind: 'invoker_credential',
  owner: 'invoker ada',
  setting: 'credential',
};

/** Its key file is at `hall.secretStore.key.place`. */
function hallWith(uses: readonly SecretUse[] = [], options: HallOptions = {}) {
  return startHall({ ...options, app: { secretUses: () => uses, ...options.app } });
}

async function set(hall: RunningHall, body: object, status = 200) {
  const answer = await hall.caller.post('/v1/secrets', body);
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body;
}

async function list(hall: RunningHall) {
  const { body } = await hall.caller.get('/v1/secrets');
  return body.secrets as readonly Record<string, unknown>[];
}

function keyFileOf({ secretStore }: RunningHall): string {
  return secretStore.key.place;
}

function keysIn(hall: RunningHall): readonly string[] {
  const lines = readFileSync(keyFileOf(hall), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

async function componentsOf(hall: RunningHall) {
  const { body } = await hall.caller.get('/v1/health');
  return Object.fromEntries(body.components.map((each: { name: string }) => [each.name, each]));
}

describe('the secrets that the hall stores', () => {
  test('a stored secret is listed with its kind, who set it and who uses it, and never with its value', async () => {
    await using hall = await hallWith([CREDENTIAL]);
    const body = await set(hall, { name: 'anthropic', value: VALUE });
    const [listed] = await list(hall);
    assert.deepEqual(listed, body);
    const { set_at, ...facts } = body;
    assert.match(set_at, /^\d{4}-/);
    assert.deepEqual(facts, {
      ...{ name: 'anthropic', kind: 'invoker_credential', set_by: 'operator:local' },
      ...{ has_previous: false, used_by: ['invoker ada (credential)'], readable: true, says: null },
    });
  });

  test('the events of a secret have its name and its actor, and neither the value nor a hash of it', async () => {
    await using hall = await hallWith();
    await set(hall, HOOK);
    await hall.caller.post('/v1/secrets/rotate');
    await hall.caller.call('DELETE', '/v1/secrets/hook');
    const { body } = await hall.caller.get('/v1/events?order=oldest&limit=1000');
    const told = body.events.filter(({ type }: { type: string }) => /Secret/.test(type));
    assert.deepEqual(
      told.map(({ type, actor, facts }: Record<string, object>) => [type, actor, facts]),
      [
        [
          'SecretSet',
          'operator:local',
          { secret: 'hook', kind: 'webhook_secret', keeps_previous: false },
        ],
        ['SecretsRotated', 'operator:local', { secrets: ['hook'] }],
        ['SecretRemoved', 'operator:local', { secret: 'hook' }],
      ],
    );
    assert.deepEqual(await hall.hall.store.secrets(), []);
  });

  test('a secret is new only with a kind, unless the configuration uses it', async () => {
    await using hall = await hallWith();
    const { mistakes } = await set(hall, { name: 'hook', value: VALUE }, 400);
    assert.equal(mistakes[0].path, 'kind');
    await set(hall, HOOK);
    const again = await set(hall, { name: 'hook', value: 'another-value' });
    assert.equal(again.kind, 'webhook_secret');
  });

  test('values that could not be redacted or stored are refused without being repeated', async () => {
    await using hall = await hallWith();
    for (const value of ['short', 'with-a-\0-inside', `${VALUE}${'x'.repeat(16_384)}`]) {
      const refused = await set(hall, { ...HOOK, value }, 400);
      assert.ok(!JSON.stringify(refused).includes(value.slice(0, 8)));
    }
    await set(hall, { ...HOOK, name: 'Hook' }, 400);
    await set(hall, { ...HOOK, name: 'rotate' }, 400);
    assert.equal(existsSync(keyFileOf(hall)), false, 'no key was made');
  });

  test('only the current value is valid, unless a webhook secret keeps the one before', async () => {
    await using hall = await hallWith();
    const { secretStore } = hall;
    await set(hall, HOOK);
    await set(hall, { ...HOOK, value: 'value-two', keep_previous: true });
    assert.deepEqual(secretStore.valuesOf('hook', 'webhook_secret'), ['value-two', VALUE]);
    assert.deepEqual(secretStore.valuesOf('hook', 'forge_token'), [], 'of another kind');
    await hall.caller.post('/v1/secrets/rotate');
    assert.deepEqual(secretStore.valuesOf('hook', 'webhook_secret'), ['value-two', VALUE]);
    await set(hall, { ...HOOK, value: 'value-three', keep_previous: true });
    assert.deepEqual(secretStore.valuesOf('hook', 'webhook_secret'), ['value-three', 'value-two']);
    const removed = await hall.caller.call('DELETE', '/v1/secrets/hook?previous=true');
    assert.equal(removed.status, 204);
    assert.deepEqual(secretStore.valuesOf('hook', 'webhook_secret'), ['value-three']);
    await set(hall, { ...HOOK, value: 'value-four' });
    assert.deepEqual(secretStore.valuesOf('hook', 'webhook_secret'), ['value-four']);
    const kept = { name: 't', kind: 'forge_token', value: VALUE, keep_previous: true };
    assert.equal((await set(hall, kept, 422)).code, 'invalid');
  });

  test('changes to secrets that arrive at once are made one after the other', async () => {
    await using hall = await hallWith();
    await set(hall, HOOK);
    const values = ['value-a1', 'value-b2', 'value-c3', 'value-d4'];
    await Promise.all([
      ...values.map((value) => set(hall, { ...HOOK, value, keep_previous: true })),
      hall.caller.post('/v1/secrets/rotate'),
    ]);
    const both = hall.secretStore.valuesOf('hook', 'webhook_secret');
    assert.equal(both.length, 2);
    for (const value of both) assert.ok(values.includes(value), both.join());
  });
});

describe('a repeated request to set a secret', () => {
  test('a repeat with the same key gets the same answer, and another value under it is refused', async () => {
    await using hall = await hallWith();
    const options = { key: 'once' };
    const first = await hall.caller.post('/v1/secrets', HOOK, options);
    const again = await hall.caller.post('/v1/secrets', HOOK, options);
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    const other = await hall.caller.post('/v1/secrets', { ...HOOK, value: 'other-value' }, options);
    assert.equal(other.body.code, 'key_reused');
    const { body } = await hall.caller.get('/v1/events?type=SecretSet');
    assert.equal(body.events.length, 1);
  });

  test('a repeated rotation makes one key', async () => {
    await using hall = await hallWith();
    await set(hall, HOOK);
    for (const _ of [1, 2]) {
      const { status, body } = await hall.caller.post('/v1/secrets/rotate', {}, { key: 'turn' });
      assert.deepEqual([status, body.secrets], [200, ['hook']]);
    }
    assert.equal(keysIn(hall).length, 2);
  });

  test('what is stored for a repeat has no hash by which the value could be guessed', async () => {
    const disk = createMemoryDisk();
    await using hall = await hallWith([], { store: { made: createMemoryStore(disk) } });
    const sent = { ...HOOK, keep_previous: false, new_key: false };
    await hall.caller.post('/v1/secrets', sent, { key: 'once' });
    const sealed = await hall.hall.store.sealed(0, 1_000);
    const everything = JSON.stringify([[...disk.responses], sealed, [...disk.secrets]]);
    assert.equal(disk.responses.size, 1);
    for (const guess of [
      VALUE,
      JSON.stringify(VALUE),
      JSON.stringify(sent),
      JSON.stringify(HOOK),
    ]) {
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        assert.ok(!everything.includes(hash('sha256', guess, form)), `${form} of ${guess}`);
      }
    }
    assert.ok(!everything.includes(VALUE));
  });
});

describe('the key of the stored secrets', () => {
  test('a rotation encrypts every secret with a new key, and the old key still reads an older copy', async () => {
    await using hall = await hallWith();
    await set(hall, HOOK);
    const [before] = await hall.hall.store.secrets();
    const { body } = await hall.caller.post('/v1/secrets/rotate');
    assert.deepEqual(body, { secrets: ['hook'], place: keyFileOf(hall) });
    const [after] = await hall.hall.store.secrets();
    const [newKey, oldKey] = usable(await hall.secretStore.key.read());
    assert.equal(newKey?.open('hook', after?.sealed ?? ''), VALUE);
    assert.equal(oldKey?.open('hook', after?.sealed ?? ''), undefined);
    assert.equal(oldKey?.open('hook', before?.sealed ?? ''), VALUE);
    assert.deepEqual(hall.secretStore.valuesOf('hook', 'webhook_secret'), [VALUE]);
  });

  test('a rotation that was killed after it made the key is completed by the next one', async () => {
    await using hall = await hallWith();
    await set(hall, HOOK);
    const { key } = hall.secretStore;
    const added = usable(await key.addFirst());
    await set(hall, { ...HOOK, name: 'ring' });
    assert.deepEqual(
      (await list(hall)).map(({ readable }) => readable),
      [true, true],
      'with the old key',
    );
    await hall.caller.post('/v1/secrets/rotate');
    assert.equal(keysIn(hall).length, 2, 'no third one');
    for (const { name, sealed } of await hall.hall.store.secrets()) {
      assert.equal(added.open(name, sealed), VALUE);
    }
  });

  test('without its key the hall overwrites nothing and refuses new secrets, and it heals when the key is back', async () => {
    await using hall = await hallWith([CREDENTIAL]);
    await set(hall, { name: 'anthropic', value: VALUE });
    const before = await hall.hall.store.secrets();
    const file = keyFileOf(hall);
    renameSync(file, `${file}.away`);
    const refused = await set(hall, HOOK, 409);
    assert.equal(refused.code, 'secrets_locked');
    assert.match(refused.detail, /hall\.key does not exist; put the right key there, or enter/);
    assert.equal((await hall.caller.post('/v1/secrets/rotate')).body.code, 'secrets_locked');
    const health = await componentsOf(hall);
    for (const name of ['secrets', 'invoker ada']) {
      assert.equal(health[name].status, 'down');
      assert.match(health[name].says, /hall\.key does not exist.*guildhall secrets set/);
    }
    assert.deepEqual(await hall.hall.store.secrets(), before);
    assert.equal(existsSync(file), false, 'no key was made');
    renameSync(`${file}.away`, file);
    await hall.secretStore.refresh();
    assert.deepEqual(hall.secretStore.valuesOf('anthropic', 'invoker_credential'), [VALUE]);
    assert.equal((await componentsOf(hall))['invoker ada'].status, 'up');
  });

  test('with another key the hall refuses new secrets, until the operator gives the lost key up', async () => {
    await using hall = await hallWith();
    await set(hall, HOOK);
    const other = `${randomBytes(32).toString('base64')}\n`;
    writeFileSync(keyFileOf(hall), other);
    const ring = { ...HOOK, name: 'ring' };
    assert.match((await set(hall, ring, 409)).detail, /is not the one that encrypts the secrets/);
    await set(hall, { ...ring, new_key: true });
    assert.equal(readFileSync(keyFileOf(hall), 'utf8'), other, 'the file is as it was');
    const listed = await list(hall);
    assert.deepEqual(
      listed.map(({ name, readable }) => [name, readable]),
      [
        ['hook', false],
        ['ring', true],
      ],
    );
    assert.match(String(listed[0]?.['says']), /encrypted with another key/);
    const health = await componentsOf(hall);
    assert.match(health['secrets'].says, /secret hook is encrypted with another key/);
    assert.equal((await hall.caller.post('/v1/secrets/rotate')).body.code, 'secrets_locked');
    await set(hall, HOOK);
    assert.deepEqual(hall.secretStore.valuesOf('hook', 'webhook_secret'), [VALUE]);
    assert.equal((await hall.caller.post('/v1/secrets/rotate')).status, 200);
  });

  test('a value that was moved to another name or changed in the database is not used', async () => {
    await using hall = await hallWith();
    await set(hall, HOOK);
    await set(hall, { ...HOOK, name: 'ring', value: 'ring-value' });
    const [hook] = await hall.hall.store.secrets();
    const { writer } = hall.hall.leading() ?? assert.fail('no leader');
    const moved = { name: 'ring', value: { sealed: hook?.sealed ?? '', previous: null } };
    await writer.change({
      meta: { actor: 'test', cause: 'test' },
      decide: () => ({ events: [], answer: true }),
      secrets: [moved],
      flush: true,
    });
    await hall.secretStore.refresh();
    assert.deepEqual(hall.secretStore.valuesOf('ring', 'webhook_secret'), []);
    const [, ring] = await list(hall);
    assert.match(String(ring?.['says']), /was changed or damaged; enter it again with/);
  });

  test('a key file that cannot be read or has no key is reported and left alone', async () => {
    await using hall = await hallWith();
    writeFileSync(keyFileOf(hall), 'not-a-key-but-something\n');
    const refused = await set(hall, HOOK, 409);
    assert.match(refused.detail, /has a line that is no key: each line must be 32 bytes/);
    assert.ok(!refused.detail.includes('not-a-key-but'));
    assert.equal(readFileSync(keyFileOf(hall), 'utf8'), 'not-a-key-but-something\n');
  });
});

describe('a value on its way into the store', () => {
  test('a value is redacted in the log from the moment the request is read, even if it is refused', async () => {
    const lines: string[] = [];
    await using hall = await hallWith();
    const { known } = hall;
    const log = createLog({ write: (line) => lines.push(line) }, () => known.values());
    for (const value of [VALUE, 'seven-7', 'refused-without-a-kind']) {
      await hall.caller.post('/v1/secrets', { name: 'hook', value });
    }
    await fetch(`${hall.url}/v1/secrets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
      body: '{"name":"hook","value":"cut-off-value',
    });
    log.info('test', {
      text: [VALUE, 'refused-without-a-kind', 'cut-off-value'].join(' '),
    });
    assert.doesNotMatch(lines.join(), /hook-value|refused-without|cut-off-value/);
  });

  test('what agents write is stored without the value, also after it was replaced', async () => {
    await using hall = await hallWith();
    await set(hall, HOOK);
    await set(hall, { ...HOOK, value: 'a-newer-value' });
    await hall.post();
    const worker = await hall.worker();
    const { body } = await worker.caller.post('/v1/claims', { worker: worker.id });
    const { run, fence } = body;
    await worker.caller.post(`/v1/runs/${run}/start`, { fence });
    const entries = [`${VALUE} and a-newer-value`];
    await worker.caller.post(`/v1/runs/${run}/log`, { fence, entries });
    await worker.caller.post(`/v1/runs/${run}/note`, { fence, text: VALUE });
    const { body: transcript } = await hall.caller.get(`/v1/runs/${run}/transcript`);
    const { body: events } = await hall.caller.get('/v1/events?limit=1000');
    const kept = JSON.stringify([transcript, events]);
    assert.doesNotMatch(kept, /hook-value|a-newer-value/);
    assert.equal(kept.match(/\[redacted\]/g)?.length, 3);
  });
});
