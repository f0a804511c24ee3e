import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createClient } from './client.ts';

test('the client sends a request again that the hall did not get in time', async () => {
  const answers = [408, 200];
  const keys: unknown[] = [];
  await using server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    response.writeHead(answers.shift() ?? 500, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createClient({ url: `http://127.0.0.1:${port}` });
  const title = 'said in two lines';
  await client.call('postTasks', { body: { project: 'shop', title } });
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
});
