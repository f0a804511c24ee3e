import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type HeartbeatReply, startHeartbeats } from './heartbeats.ts';

const GO_ON = JSON.stringify({ orders: 'go_on', run: null, reason: null });

test('a beat that is lost on its way is sent again before the lease is over', async () => {
  let heartbeats = 0;
  const hall = createServer((_, response) => {
    heartbeats += 1;
    // The second is taken and never answered, as by a connection that a network forgot.
    if (heartbeats !== 2)
      response.writeHead(200, { 'content-type': 'application/json' }).end(GO_ON);
  }).listen(0, '127.0.0.1');
  await once(hall, 'listening');
  const { port } = hall.address() as AddressInfo;
  const { promise: third, resolve } = Promise.withResolvers<HeartbeatReply>();
  let told = 0;
  const thread = startHeartbeats(
    {
      url: `http://127.0.0.1:${port}`,
      ...{ token: 'own', worker: 'w-1', everyMs: 400, leaseMs: 16_000 },
    },
    (orders) => {
      told += 1;
      if (told === 2) resolve(orders);
    },
  );
  // Its thread keeps nobody alive, and neither does what it waits for.
  const alive = setInterval(() => undefined, 1_000);
  try {
    assert.equal((await third).orders, 'go_on');
    assert.equal(heartbeats, 3);
  } finally {
    clearInterval(alive);
    await thread.stop();
    hall.closeAllConnections();
    hall.close();
  }
});
