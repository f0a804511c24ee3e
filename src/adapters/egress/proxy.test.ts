import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { until } from '../../../test/support/hall-fixture.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openEgress } from './proxy.ts';

describe('D22: a client that disconnects while the proxy dials', () => {
  for (const [way, first] of [
    ['a tunnel', (host: string) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ['a request', (host: string) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ] as const) {
    test(`a client that disconnects while the proxy dials leaves no connection: ${way}`, async () => {
      using folder = tempFolder();
      const reached = new Set<Socket>();
      const host = createServer((socket) =>
        reached.add(socket.on('error', () => undefined).resume()),
      );
      host.listen(0, '127.0.0.1');
      await once(host, 'listening');
      const { port } = host.address() as { port: number };
      const resolving = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<readonly string[]>();
      const socket = folder.file('egress.sock');
      {
        await using _proxy = await openEgress({
          socket,
          allowed: [`good.example:${port}`, `127.0.0.1:${port}`],
          onDecision: () => undefined,
          resolve: () => {
            resolving.resolve();
            return answer.promise;
          },
        });
        const client = connect(socket);
        client.write(first(`good.example:${port}`));
        await resolving.promise;
        client.destroy();
        await once(client, 'close');
        await untilProxyResponds(socket);
        answer.resolve(['127.0.0.1']);
        await until('the host is reached', () => reached.size > 0);
        await until('the connection is over', () =>
          [...reached].every((each) => each.destroyed || each.readableEnded),
        );
        assert.equal(reached.size, 1);
      }
      for (const each of reached) each.destroy();
      host.close();
    });
  }
});

/** By then the proxy has noticed earlier disconnects. */
async function untilProxyResponds(socket: string): Promise<void> {
  const client = connect(socket);
  client.write('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n');
  await once(client, 'data');
  client.destroy();
}
