import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { type Listening, listen } from './listen.ts';

const REQUEST = 'POST / HTTP/1.1\r\nHost: hall\r\nContent-Length: 2\r\n\r\n{}';
const LAST_REQUEST = REQUEST.replace('Content-Length', 'Connection: close\r\nContent-Length');

describe('connections to the hall', () => {
  test('a request on a keep-alive connection is answered even if the hall stalled past the timeout', async () => {
    const limits = { keepAliveTimeout: 200, keepAliveTimeoutBuffer: 0 };
    await using hall = await serve(limits, (response) => {
      // The request is in the kernel before the hall stalls, and the timer is due before it is read.
      response.once('finish', () => {
        client.write(LAST_REQUEST);
        stall(500);
      });
    });
    const client = connect(hall.port);
    client.write(REQUEST);
    assert.deepEqual(statusesIn(await text(client)), ['200', '200']);
  });

  test('an idle keep-alive connection is closed', async () => {
    await using hall = await serve({ keepAliveTimeout: 50, keepAliveTimeoutBuffer: 0 });
    const client = connect(hall.port);
    client.write(REQUEST);
    assert.deepEqual(statusesIn(await text(client)), ['200']);
  });

  test('a request that arrives after its 408 answer is not carried out', async () => {
    await using hall = await serve({ headersTimeout: 1, connectionsCheckingInterval: 20 });
    const client = connect({ port: hall.port, allowHalfOpen: true });
    assert.deepEqual(statusesIn(await text(client)), ['408']);
    const other = connect(hall.port);
    const closed = once(client, 'close');
    client.end(REQUEST);
    await closed;
    assert.deepEqual(statusesIn(await text(other)), ['408']);
    assert.equal(hall.handled(), 0);
  });

  test('a client that keeps sending after it was refused can read the answer', async () => {
    await using hall = await serve({});
    const client = connect(hall.port);
    const answer = text(client);
    await once(client, 'connect');
    await sendPieces(client, `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(64 * 1024)}`, 64);
    assert.deepEqual(statusesIn(await answer), ['431']);
  });
});

interface Serving extends Listening, AsyncDisposable {
  handled(): number;
}

/** A hall that answers everything once it has read it. */
async function serve(
  limits: ServerOptions,
  before: (response: ServerResponse) => void = () => undefined,
): Promise<Serving> {
  let handled = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    handled += 1;
    if (handled === 1) before(response);
    request.resume().once('end', () => response.writeHead(200).end());
  };
  const listening = await listen({ host: '127.0.0.1', port: 0 }, answer, limits);
  return {
    ...listening,
    handled: () => handled,
    [Symbol.asyncDispose]: () => listening.close(0),
  };
}

/** Blocks the whole process, as a busy machine does. */
function stall(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Sends one after another, so some are sent after the answer. */
async function sendPieces(client: Socket, piece: string, count: number): Promise<void> {
  for (let sent = 0; sent < count && client.writable; sent += 1) {
    await new Promise((resolve) => client.write(piece, resolve));
  }
  client.end();
}

function statusesIn(answers: string): string[] {
  return [...answers.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = '']) => status);
}
