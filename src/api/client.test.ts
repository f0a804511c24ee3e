import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createClient } from './client.ts';

test('the client repeats a request that the hall answered with 408, under the same idempotency key', async () => {
  const answers = [408, 200];
  const keys: unknown[] = [];
  await using server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    response.writeHead(answers.shift() ?? 500, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createClient({ url: `http://127.0.0.1:${port}` });
  const title = 'A task';
  await client.call('postTasks', { body: { project: 'shop', title } });
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
});
