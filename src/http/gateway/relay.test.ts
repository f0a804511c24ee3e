import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Hall } from '../../board/hall.ts';
import { createExchanges } from '../exchange.ts';
import { createRelay } from './relay.ts';

async function serving(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('A55: a call whose answer the leader breaks off is over for the node that passed it on', {
  timeout: 60_000,
}, async () => {
  await using leader = await serving((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: message_start\n\n', () => response.destroy());
  });
  const relay = createRelay({ leaderUrl: () => leader.url } as Hall);
  const exchangeOf = createExchanges();
  const { promise: passed, resolve } = Promise.withResolvers<number>();
  await using node = await serving((request, response) => {
    resolve(relay.pass(exchangeOf(request, response), Buffer.from('{}')));
  });
  const [answer] = await once(get(`${node.url}/gateway/v1/messages`), 'response');
  answer.on('error', () => undefined).resume();
  assert.equal(await passed, 200);
  relay.close();
});
