import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { createClient } from '../../api/client.ts';
import { HallUnresponsive } from '../../ports/hall-client.ts';
import { createHallClient } from './hall-client.ts';

const PATIENCE = 2_000;
const LEASE = { run: 'r-1', fence: 1 };

describe('the hall client of a worker', () => {
  test('calls to a silent hall share one time limit', async () => {
    await using hall = await startHall();
    const client = hall.hallClient();
    hall.isAway = true;
    for (const line of ['one', 'two'])
      await assert.rejects(client.note(LEASE, line), HallUnresponsive);
    assert.equal(hall.refused, 1 + PATIENCE / A_TRY + 1, 'the second call is not sent');
  });

  test('the time limit for a silent hall starts again after every response', async () => {
    await using hall = await startHall();
    const client = hall.hallClient();
    for (const line of ['one', 'two', 'three']) {
      hall.isAway = true;
      hall.backAfter = hall.refused + PATIENCE / A_TRY;
      await client.note(LEASE, line);
    }
  });
});

test('what a worker sends about a run does not contain the secrets that it got for one', async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    if (!request.url?.endsWith('/secrets')) response.writeHead(204).end();
    else
      response.setHeader('Content-Type', 'application/json').end('{"env":{"KEY":"open-sesame"}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const secrets = new Set<string>();
  const hall = createHallClient({
    url: 'http://127.0.0.1:1',
    token: null,
    client: createClient({ url: `http://127.0.0.1:${port}`, token: 'own' }),
    worker: 'w-1',
    patience: PATIENCE,
    monotonic: () => 0,
    idle: async () => undefined,
    secrets,
  });
  assert.deepEqual(await hall.secrets(LEASE), { KEY: 'open-sesame' });
  assert.deepEqual([...secrets], ['open-sesame'], 'diffs with it are refused, and logs redacted');
  await hall.note(LEASE, 'say open-sesame');
  await hall.ask(LEASE, 'is it open-sesame?', null);
  await hall.report(LEASE, { outcome: 'quota_exceeded', summary: 'open-sesame', resetsAt: null });
  await hall.fail('open-sesame');
  server.closeAllConnections();
  server.close();
  assert.equal(bodies.length, 5);
  assert.doesNotMatch(bodies.join('\n'), /open-sesame/);
});

/** How long each try takes on the clock of the test. */
const A_TRY = 1_000;

async function startHall() {
  const hall = {
    refused: 0,
    backAfter: Number.POSITIVE_INFINITY,
    isAway: false,
    hallClient() {
      const { port } = server.address() as AddressInfo;
      return createHallClient({
        url: 'http://127.0.0.1:1',
        token: null,
        client: createClient({ url: `http://127.0.0.1:${port}`, token: 'own' }),
        worker: 'w-1',
        patience: PATIENCE,
        monotonic: () => hall.refused * A_TRY,
        idle: async () => undefined,
        secrets: new Set(),
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server: Server = createServer((_, response) => {
    if (hall.refused >= hall.backAfter) hall.isAway = false;
    if (hall.isAway) hall.refused += 1;
    response.writeHead(hall.isAway ? 503 : 204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return hall;
}
