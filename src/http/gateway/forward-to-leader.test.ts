import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { test } from 'node:test';
import { serving } from '../../../test/support/serving.ts';
import type { Hall } from '../../board/hall.ts';
import { createExchanges } from '../exchange.ts';
import { createGatewayForwarder } from './forward-to-leader.ts';

test('A55: a node ends a forwarded model call when the leader breaks off its answer', {
  timeout: 60_000,
}, async () => {
  await using leader = await serving((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: message_start\n\n', () => response.destroy());
  });
  const relay = createGatewayForwarder({ leaderUrl: () => leader.url } as Hall);
  const exchangeOf = createExchanges();
  const { promise: passed, resolve } = Promise.withResolvers<number>();
  await using node = await serving((request, response) => {
    resolve(relay.forward(exchangeOf(request, response), Buffer.from('{}')));
  });
  const [answer] = await once(get(`${node.url}/gateway/v1/messages`), 'response');
  answer.on('error', () => undefined).resume();
  assert.equal(await passed, 200);
  relay.close();
});
