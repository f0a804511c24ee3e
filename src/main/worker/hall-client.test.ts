import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
        client: createClient({ url: `http://127.0.0.1:${port}`, token: 'own' }),
        worker: 'w-1',
        patience: PATIENCE,
        monotonic: () => hall.refused * A_TRY,
        idle: async () => undefined,
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
