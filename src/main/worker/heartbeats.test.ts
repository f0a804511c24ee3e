import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type HeartbeatReply, startHeartbeats } from './heartbeats.ts';

const GO_ON = JSON.stringify({ orders: 'continue', run: null, reason: null });

test('a heartbeat without a response is sent again before the lease expires', async () => {
  let heartbeats = 0;
  const hall = createServer((_, response) => {
    heartbeats += 1;
    // The second is accepted and never answered, as on a connection that the network dropped.
    if (heartbeats !== 2)
      response.writeHead(200, { 'content-type': 'application/json' }).end(GO_ON);
  }).listen(0, '127.0.0.1');
  await once(hall, 'listening');
  const { port } = hall.address() as AddressInfo;
  const { promise: third, resolve } = Promise.withResolvers<HeartbeatReply>();
  let replies = 0;
  const thread = startHeartbeats(
    {
      url: `http://127.0.0.1:${port}`,
      ...{ token: 'own', worker: 'w-1', everyMs: 400, leaseMs: 16_000 },
    },
    (orders) => {
      replies += 1;
      if (replies === 2) resolve(orders);
    },
  );
  // Neither the heartbeat thread nor the promise keeps this process alive.
  const alive = setInterval(() => undefined, 1_000);
  try {
    assert.equal((await third).orders, 'continue');
    assert.equal(heartbeats, 3);
  } finally {
    clearInterval(alive);
    await thread.stop();
    hall.closeAllConnections();
    hall.close();
  }
});
