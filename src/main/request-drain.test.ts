import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createRequestDrain } from './request-drain.ts';

test('a hall that stops says on each answer that it closes the connection, also on one under way', async () => {
  const waiting = Promise.withResolvers<ServerResponse>();
  const gate = createRequestDrain((request, response) => {
    if (request.url === '/later') waiting.resolve(response);
    else response.end();
  });
  await using server = createServer(gate.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told = async (path: string) => (await fetch(`${url}${path}`)).headers.get('connection');

  assert.equal(await told('/'), 'keep-alive');
  const later = told('/later');
  const underWay = await waiting.promise;
  gate.close();
  underWay.end();
  assert.equal(await later, 'close');
  assert.equal(await told('/'), 'close');
  assert.equal(gate.underWay, 0);
});
