import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decide } from '../../src/domain/decision.ts';
import { TYPE_SETTINGS } from '../support/board-fixture.ts';
import { type HallOptions, OPERATOR, type RunningHall, startHall } from '../support/hall.ts';

const VALUE = 'the-key-that-only-this-agent-has';
const SECRETS = new Map([['$AGENT_KEY', VALUE]]);

/** A hall whose type dev gets a secret, if its configuration has the value. */
async function hallWithSecret(
  secrets: ReadonlyMap<string, string> = SECRETS,
  options: HallOptions = {},
) {
  const hall = await startHall({
    ...options,
    app: { secretOf: (reference) => secrets.get(reference), secrets: () => secrets.values() },
  });
  const settings = {
    ...TYPE_SETTINGS,
    network: ['llm.example.org'],
    secretEnv: { LLM_API_KEY: '$AGENT_KEY' },
  };
  const agentType = { name: 'dev', settings, declared: null };
  await hall.hall.leading()?.writer.change({
    meta: { actor: 'test', cause: 'test' },
    decide: () => decide(true, [{ type: 'TypeSet', agentType }]),
  });
  return hall;
}

async function claimIn(hall: RunningHall) {
  await hall.post();
  const worker = await hall.worker();
  const { body } = await worker.caller.post('/v1/claims', { worker: worker.id });
  return { worker, path: `/v1/runs/${body.run}/secrets`, fence: body.fence, run: body.run };
}

describe('the secrets of a run', () => {
  test('the worker that has the run gets the values of secret_env, and the brief only their names', async () => {
    await using hall = await hallWithSecret();
    const { worker, path, fence, run } = await claimIn(hall);
    const { body: brief } = await worker.caller.get(`/v1/runs/${run}/brief`);
    assert.deepEqual(brief.agent.secret_env, ['LLM_API_KEY']);
    assert.doesNotMatch(JSON.stringify(brief), new RegExp(VALUE));
    const { status, body } = await worker.caller.post(path, { fence });
    assert.deepEqual([status, body], [200, { env: { LLM_API_KEY: VALUE } }]);
  });

  test('nobody but the worker that has the run gets its secrets, and only while it has it', async () => {
    await using hall = await hallWithSecret();
    const { worker, path, fence, run } = await claimIn(hall);
    const other = await hall.worker();
    for (const [caller, given, status, code] of [
      [other.caller, fence, 403, 'not_your_run'],
      [hall.caller, fence, 403, 'forbidden'],
      [hall.as(null), fence, 401, 'unauthenticated'],
      [worker.caller, fence - 1, 409, 'stale_fence'],
    ] as const) {
      const refused = await caller.post(path, { fence: given });
      assert.deepEqual([refused.status, refused.body.code], [status, code]);
      assert.doesNotMatch(JSON.stringify(refused.body), new RegExp(VALUE));
    }
    await worker.caller.post(`/v1/runs/${run}/start`, { fence });
    await worker.caller.post(`/v1/runs/${run}/report`, {
      fence,
      outcome: 'completed',
      summary: 'x',
    });
    assert.equal((await worker.caller.post(path, { fence })).body.code, 'stale_fence');
  });

  test('a hall without authentication gives the secrets of a run to no one', async () => {
    await using hall = await hallWithSecret(SECRETS, { auth: { mode: 'none' } });
    const { worker, path, fence } = await claimIn(hall);
    assert.equal((await worker.caller.post(path, { fence })).body.code, 'not_your_run');
  });

  test('a request for secrets is stored neither as an event nor under its idempotency key', async () => {
    await using hall = await hallWithSecret();
    const { worker, path, fence } = await claimIn(hall);
    const before = (await hall.caller.get('/v1/board')).body.seq;
    const headers = { 'Idempotency-Key': 'once' };
    for (const _ of [1, 2]) {
      const response = await fetch(`${hall.url}${path}`, {
        method: 'POST',
        headers: {
          ...headers,
          Authorization: `Bearer ${worker.token}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ fence }),
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('idempotency-replayed'), null);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      await response.text();
    }
    assert.equal((await hall.caller.get('/v1/board')).body.seq, before);
    const { body: events } = await hall.caller.get('/v1/events?limit=1000');
    assert.doesNotMatch(JSON.stringify(events), new RegExp(VALUE));
  });

  test('a secret that the configuration does not have is refused by its reference', async () => {
    await using hall = await hallWithSecret(new Map());
    const { worker, path, fence } = await claimIn(hall);
    const { status, body } = await worker.caller.post(path, { fence });
    assert.deepEqual([status, body.code], [409, 'missing_secret']);
    assert.match(body.detail, /has no \$AGENT_KEY, which secret_env of type dev needs/);
  });

  test('transcripts, notes, questions and reports are stored without the secret', async () => {
    await using hall = await hallWithSecret();
    const { worker, fence, run } = await claimIn(hall);
    const call = (verb: string, body: object) =>
      worker.caller.post(`/v1/runs/${run}/${verb}`, { fence, ...body });
    await call('start', {});
    await call('log', { entries: [`agent: ${VALUE}`] });
    await call('note', { text: `it is ${VALUE}` });
    await call('report', { outcome: 'completed', summary: `used ${VALUE}`, details: VALUE });
    const { body: transcript } = await hall.caller.get(`/v1/runs/${run}/transcript`);
    const { body: events } = await hall.caller.get('/v1/events?limit=1000');
    const kept = JSON.stringify([transcript, events]);
    assert.doesNotMatch(kept, new RegExp(VALUE));
    assert.equal(kept.match(/\[redacted\]/g)?.length, 4);
  });

  test('health and the board say which agents can read secrets', async () => {
    await using hall = await hallWithSecret();
    const says =
      'type dev: its agents can read the secrets in secret_env (LLM_API_KEY) and send them to the hosts that they reach (llm.example.org)';
    const { body: board } = await hall.caller.get('/v1/board');
    assert.deepEqual(board.projects[0].exposed_secrets, [says]);
    const { body: health } = await hall.as(OPERATOR).get('/v1/health');
    const executors = health.components.find(({ name }: { name: string }) => name === 'executors');
    assert.equal(executors.status, 'degraded');
    assert.ok(executors.says.includes(says), executors.says);
  });
});
