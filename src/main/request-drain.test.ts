import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createRequestDrain } from './request-drain.ts';

test('a stopping hall announces the end of the connection on every response, including those to requests in progress', async () => {
  const waiting = Promise.withResolvers<ServerResponse>();
  const drain = createRequestDrain((request, response) => {
    if (request.url === '/later') waiting.resolve(response);
    else response.end();
  });
  await using server = createServer(drain.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connectionOf = async (path: string) =>
    (await fetch(`${url}${path}`)).headers.get('connection');

  assert.equal(await connectionOf('/'), 'keep-alive');
  const later = connectionOf('/later');
  const response = await waiting.promise;
  drain.close();
  response.end();
  assert.equal(await later, 'close');
  assert.equal(await connectionOf('/'), 'close');
  assert.equal(drain.underWay, 0);
});
