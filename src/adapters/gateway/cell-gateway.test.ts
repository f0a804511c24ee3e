import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import {
  CALL,
  CANARY,
  type GatewayFixture,
  gatewayFixture,
  type HeldRun,
} from '../../../test/support/gateway-fixture.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type CellGateway, openCellGateway } from './cell-gateway.ts';

const HELLO = 'scenes: [{ name: hello, steps: [{ say: Hello. }] }]';

describe('the gateway of a cell', () => {
  it("a cell gateway forwards a call to the hall with the worker's token and returns the response", async () => {
    await using fixture = await gatewayFixture(HELLO);
    await using gateway = await open(fixture, await fixture.held());
    const { status, text, headers } = await ask(gateway);
    assert.equal(status, 200);
    assert.match(text, /message_stop/);
    assert.equal(headers['x-guildhall-failure'], undefined);
    assert.deepEqual(callsOf(gateway), { calls: 1, lastFailure: null, resetsAt: null });
    assert.equal(fixture.model.requests[0]?.headers['x-api-key'], CANARY);
  });

  it('A43: a cell gateway accepts only the token of its own run', async () => {
    await using fixture = await gatewayFixture(HELLO);
    await using mine = await open(fixture, await fixture.held());
    await using other = await open(fixture, await fixture.held());
    for (const headers of [
      { 'x-api-key': '' },
      { 'x-api-key': 'ghr_' },
      { 'x-api-key': other.token },
      { 'x-api-key': `${mine.token}x` },
      { authorization: `Bearer ${other.token}` },
      { authorization: mine.token.slice(0, -1) },
      { 'x-api-key': CANARY },
      { 'x-api-key': fixture.hall.token },
    ]) {
      assert.equal((await ask(mine, { headers })).status, 401, JSON.stringify(headers));
    }
    assert.equal(
      (await ask(mine, { headers: { authorization: `Bearer ${mine.token}` } })).status,
      200,
    );
    assert.equal(fixture.model.requests.length, 1);
  });

  it('a cell gateway accepts only POST /v1/messages', async () => {
    await using fixture = await gatewayFixture(HELLO);
    await using gateway = await open(fixture, await fixture.held());
    for (const path of [
      '/',
      '/v1/messages/',
      '/v1/messages?x',
      '/v1/messages/batches',
      '/v1/files',
      '//v1/messages',
      '/v1/messages/../files',
      '/gateway/v1/messages',
      'http://example.com/v1/messages',
    ]) {
      assert.equal((await ask(gateway, { path })).status, 404, path);
    }
    assert.equal((await ask(gateway, { method: 'GET' })).status, 404);
    assert.equal(fixture.model.requests.length, 0);
  });

  it('a cell gateway records how the last call failed and when to retry', async () => {
    await using fixture = await gatewayFixture(`
      scenes:
        - name: wall
          steps:
            - fail: { status: 429, headers: { retry-after: '120' } }
            - say: Hello.`);
    await using gateway = await open(fixture, await fixture.held());
    const sentAt = Date.now();
    assert.equal((await ask(gateway)).status, 429);
    const answeredAt = Date.now();
    const { lastFailure, resetsAt } = gateway.modelCalls;
    assert.equal(lastFailure, 'quota');
    const baseTime = (resetsAt ?? 0) - 120_000;
    assert.ok(baseTime >= sentAt - 1_000 && baseTime <= answeredAt + 1_000, `${resetsAt}`);
    assert.equal((await ask(gateway)).status, 200);
    assert.deepEqual(callsOf(gateway), { calls: 2, lastFailure: null, resetsAt: null });
  });

  it('a cell gateway tells its worker exactly once that the run was lost', async () => {
    await using fixture = await gatewayFixture(HELLO);
    const heldRun = await fixture.held();
    let notifications = 0;
    await using gateway = await open(fixture, heldRun, () => {
      notifications += 1;
    });
    await fixture.hall.caller.post(`/v1/tasks/${heldRun.task}/release`);
    assert.equal((await ask(gateway)).status, 409);
    assert.equal((await ask(gateway)).status, 409);
    assert.equal(gateway.modelCalls.lastFailure, 'stale_fence');
    assert.equal(notifications, 1);
  });

  it('a model response that is cut short is cut short for the agent too', async () => {
    await using fixture = await gatewayFixture(`
      scenes: [{ name: half, steps: [{ drop: { after: 4 } }, { say: Hello. }] }]`);
    await using gateway = await open(fixture, await fixture.held());
    await assert.rejects(ask(gateway), /aborted|hang up|ECONNRESET/);
  });
});

interface CallOptions {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function open(fixture: GatewayFixture, heldRun: HeldRun, onStale: () => void = () => undefined) {
  const folder = tempFolder();
  return openCellGateway({
    socket: folder.file('gateway.sock'),
    hall: { url: fixture.hall.url, token: heldRun.worker.token },
    run: heldRun.run,
    fence: heldRun.fence,
    onStale,
  });
}

function callsOf({ modelCalls: { calls, lastFailure, resetsAt } }: CellGateway) {
  return { calls, lastFailure, resetsAt };
}

function ask(gateway: CellGateway, { path, method, headers }: CallOptions = {}) {
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      const sent = request(
        {
          socketPath: gateway.socket,
          path: path ?? '/v1/messages?beta=true',
          method: method ?? 'POST',
          headers: {
            'content-type': 'application/json',
            ...(headers ?? { 'x-api-key': gateway.token }),
          },
        },
        (answer) => {
          let text = '';
          answer.on('data', (chunk) => {
            text += String(chunk);
          });
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(method === 'GET' ? undefined : JSON.stringify(CALL));
    },
  );
}
