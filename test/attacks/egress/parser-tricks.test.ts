import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import type { Decision } from '../../../src/adapters/egress/decide.ts';
import { openEgress } from '../../../src/adapters/egress/proxy.ts';
import { clientHello } from '../../support/client-hello.ts';
import { until } from '../../support/hall-fixture.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Names that the fake resolver knows. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'good.example': ['127.0.0.2'],
  'rebound.example': ['169.254.169.254'],
  'inside.example': ['10.0.0.8', '::1', 'fd00::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'empty.example': [],
};

/** The bytes that are sent; P is the port of the host. */
const TRICKS: Readonly<Record<string, string>> = {
  'a host that is not listed': connectTo('evil.example:443'),
  'a name below one that is listed': connectTo('sub.good.example:P'),
  'a name that ends like one that is listed': connectTo('notgood.example:P'),
  'a name that begins like one that is listed': connectTo('good.example.evil.example:P'),
  'another port': connectTo('good.example:22'),
  'no port': connectTo('good.example'),
  'port 0': connectTo('good.example:0'),
  'a port above 65535': connectTo('good.example:65536'),
  'a port that wraps': connectTo('good.example:4295032833'),
  'a negative port': connectTo('good.example:-1'),
  'a port in hexadecimal': connectTo('good.example:0x1bb'),
  'a port with a sign': connectTo('good.example:+P'),
  'two ports': connectTo('good.example:P:443'),
  'a user before the host': connectTo('good.example@evil.example:P'),
  'a user that looks like the host': connectTo('good.example:P@evil.example:443'),
  'a slash in the host': connectTo('good.example/evil.example:P'),
  'a backslash in the host': connectTo('good.example\\evil.example:P'),
  'a question mark in the host': connectTo('good.example?evil.example:P'),
  'a fragment in the host': connectTo('evil.example#good.example:P'),
  'a percent sign in the host': connectTo('good%2eexample:P'),
  'a NUL in the host': connectTo('good.example\0.evil.example:P'),
  'an escaped NUL in the host': connectTo('good.example%00.evil.example:P'),
  'a tab in the host': connectTo('good.example\t.evil.example:P'),
  'a line feed in the host': connectTo('good.example\n.evil.example:P'),
  'letters of another script': connectTo('gооd.example:P'),
  'a full stop of another script': connectTo('good。example:P'),
  'letters of full width': connectTo('ｇｏｏｄ.example:P'),
  'a name in Punycode': connectTo('xn--gd-jbba.example:P'),
  'an empty label': connectTo('good..example:P'),
  'a dot before': connectTo('.good.example:P'),
  'two dots behind': connectTo('good.example..:P'),
  'a star': connectTo('*.example:P'),
  'loopback by address': connectTo('127.0.0.1:P'),
  'loopback in short': connectTo('127.1:P'),
  'loopback as one number': connectTo('2130706433:P'),
  'loopback in octal': connectTo('0177.0.0.1:P'),
  'loopback in hexadecimal': connectTo('0x7f.0.0.1:P'),
  'loopback as one hexadecimal number': connectTo('0x7f000001:P'),
  'loopback with a zero before': connectTo('127.0.0.01:P'),
  'the unspecified address': connectTo('0.0.0.0:P'),
  'one zero': connectTo('0:P'),
  'loopback of IPv6': connectTo('[::1]:P'),
  'loopback of IPv6 in full': connectTo('[0:0:0:0:0:0:0:1]:P'),
  'loopback of IPv4 in IPv6': connectTo('[::ffff:127.0.0.1]:P'),
  'loopback of IPv4 in IPv6 in hexadecimal': connectTo('[::ffff:7f00:1]:P'),
  'loopback of IPv4 in the older form': connectTo('[::127.0.0.1]:P'),
  'loopback through NAT64': connectTo('[64:ff9b::127.0.0.1]:P'),
  'an address of a link with its zone': connectTo('[fe80::1%25lo]:P'),
  'IPv6 without brackets': connectTo('::1:P'),
  'the name of loopback': connectTo('localhost:P'),
  'a name below the name of loopback': connectTo('good.localhost:P'),
  'metadata of a cloud': connectTo('169.254.169.254:80'),
  'metadata of a cloud by name': connectTo('metadata.google.internal:80'),
  'a listed name that resolves to a metadata service': connectTo('rebound.example:P'),
  'a listed name that resolves to private addresses': connectTo('inside.example:P'),
  'a listed name that resolves to IPv4-mapped loopback': connectTo('mapped.example:P'),
  'a listed name that resolves to loopback through NAT64': connectTo('nat64.example:P'),
  'a listed name without an address': connectTo('empty.example:P'),
  'a path instead of a URL': 'GET / HTTP/1.1\r\nHost: good.example:P\r\n\r\n',
  'a URL without its scheme': 'GET //good.example:P/ HTTP/1.1\r\nHost: good.example:P\r\n\r\n',
  'a URL of a file': 'GET file:///etc/passwd HTTP/1.1\r\nHost: good.example:P\r\n\r\n',
  'a URL of https': 'GET https://good.example:P/ HTTP/1.1\r\nHost: good.example:P\r\n\r\n',
  'a URL with a user': getFrom('http://good.example@evil.example/', 'evil.example'),
  'a URL with another host than Host': getFrom('http://good.example:P/', 'evil.example'),
  'a URL with another port than Host': getFrom('http://good.example:P/', 'good.example:1'),
  'a URL with a backslash': getFrom('http://good.example:P\\@evil.example/', 'good.example:P'),
  'a URL of a host that is not listed': getFrom('http://evil.example:P/', 'evil.example:P'),
  'a URL of loopback': getFrom('http://127.0.0.1:P/', '127.0.0.1:P'),
  'two Hosts':
    'GET http://good.example:P/ HTTP/1.1\r\nHost: evil.example\r\nHost: good.example:P\r\n\r\n',
  'no Host': 'GET http://good.example:P/ HTTP/1.1\r\n\r\n',
  'two lengths': `${postTo()}Content-Length: 4\r\nContent-Length: 40\r\n\r\nbody`,
  'a length and chunks': `${postTo()}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'an invalid transfer encoding': `${postTo()}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'a folded header': `${postTo()}X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n`,
  'a bare line feed': 'GET http://good.example:P/ HTTP/1.1\nHost: good.example:P\n\n',
  'a header with a space before its colon': `${postTo()}Content-Length : 4\r\n\r\nbody`,
  'headers without an end': `${postTo()}X-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
  'SOCKS 5': '\x05\x01\x00\x05\x01\x00\x03\x0cgood.example\x00\x50',
  'SOCKS 4': '\x04\x01\x00\x50\x7f\x00\x00\x01\x00',
  'an upgrade':
    'GET http://good.example:P/ HTTP/1.1\r\nHost: good.example:P\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
};

describe('A15: requests that try to trick the proxy', () => {
  for (const [title, trick] of Object.entries(TRICKS)) {
    test(`A15: the proxy refuses ${title}`, async () => {
      await using world = await openWorld();
      const answer = await world.send(trick);
      assert.equal(/^HTTP\/1\.1 (2|3)\d\d/.test(answer), false, answer);
      assert.deepEqual(world.reached, []);
    });
  }

  test('A15: there are at least sixty tricks', () => {
    assert.equal(Object.keys(TRICKS).length >= 60, true);
  });

  test('A15: a TLS tunnel may name only the host it was opened to', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('only root can listen on the port of HTTPS');
    await using world = await openWorld([443]);
    for (const [name, isHeard] of [
      ['evil.example', false],
      ['good.example', true],
    ] as const) {
      const opening = Buffer.from(connectTo('good.example:443'));
      const isThrough = () => world.heard().includes(name);
      const bytes = Buffer.concat([opening, await clientHello(name)]);
      await world.send(bytes, isHeard ? isThrough : undefined);
      assert.equal(isThrough(), isHeard);
    }
  });

  test('A15: a second request on a connection gets its own decision', async () => {
    await using world = await openWorld();
    const first = getFrom('http://good.example:P/one', 'good.example:P');
    const second = getFrom('http://evil.example:P/two', 'evil.example:P');
    await world.send(first + second, (answer) => / 403 /.test(answer));
    assert.deepEqual(world.reached, ['GET /one']);
  });

  test('A13: a name that is not allowed is never resolved', async () => {
    await using world = await openWorld();
    await world.send(connectTo('c2VjcmV0.evil.example:443'));
    await world.send(connectTo('c2VjcmV0.good.example:P'));
    await world.send(connectTo('good.example:22'));
    assert.deepEqual(world.asked, []);
  });

  test('D22: an allowed host is reached, and every decision is reported', async () => {
    await using world = await openWorld();
    const asked = getFrom('http://GOOD.example.:P/x?y', 'GOOD.example.:P');
    const answer = await world.send(asked, isReached);
    assert.match(answer, /^HTTP\/1\.1 200(.|\r|\n)*reached$/);
    assert.deepEqual(world.reached, ['GET /x?y']);
    await world.send(connectTo('evil.example:443'));
    assert.deepEqual(
      world.decisions.map(({ allowed, host }) => ({ allowed, host })),
      [
        { allowed: true, host: 'good.example' },
        { allowed: false, host: 'evil.example' },
      ],
    );
  });

  test('D22: a tunnel carries bytes both ways', async () => {
    await using world = await openWorld();
    const request = 'GET /deep HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await world.send(connectTo('good.example:P') + request, isReached);
    assert.match(answer, /^HTTP\/1\.1 200 Connection established(.|\r|\n)*reached$/);
  });

  test('D22: with an empty allow list no host is reached', async () => {
    await using world = await openWorld([], []);
    await world.send(connectTo('good.example:P'));
    await world.send(connectTo('127.0.0.1:P'));
    assert.deepEqual(world.reached, []);
    assert.deepEqual(world.asked, []);
  });
});

function isReached(answer: string): boolean {
  return answer.endsWith('reached');
}

function connectTo(target: string): string {
  return `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;
}

function getFrom(url: string, host: string): string {
  return `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}

function postTo(): string {
  return 'POST http://good.example:P/ HTTP/1.1\r\nHost: good.example:P\r\n';
}

/** A host that says what reached it, and a proxy that may reach it by the name good.example. */
async function openWorld(ports: readonly number[] = [], lines?: readonly string[]) {
  const folder = tempFolder();
  const reached: string[] = [];
  const asked: string[] = [];
  const decisions: Decision[] = [];
  let heard = '';
  const listen = (chunk: Buffer) => {
    heard += chunk.toString('latin1');
  };
  const host = createServer((request: IncomingMessage, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.end('reached');
  });
  host.on('connection', (socket) => socket.on('data', (chunk) => listen(chunk)));
  host.on('clientError', (_, socket) => socket.destroy());
  host.listen(ports[0] ?? 0, '0.0.0.0');
  await once(host, 'listening');
  const address = host.address();
  const port = String(typeof address === 'object' ? address?.port : 0);
  const socket = folder.file('egress.sock');
  const names = Object.keys(NAMES).map((name) => `${name}:${port}`);
  const proxy = await openEgress({
    socket,
    // One address of loopback is listed, as an operator lists a host of his own network.
    allowed: lines ?? [...names, `127.0.0.2:${port}`],
    onDecision: (decision) => decisions.push(decision),
    resolve: async (name) => {
      asked.push(name);
      return NAMES[name] ?? [];
    },
  });
  return {
    reached,
    asked,
    decisions,
    heard: () => heard,
    send(trick: string | Buffer, isEnough?: (answer: string) => boolean): Promise<string> {
      const bytes = typeof trick === 'string' ? trick.replaceAll(':P', `:${port}`) : trick;
      return answerTo(socket, bytes, isEnough);
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      host.closeAllConnections();
      host.close();
      folder[Symbol.dispose]();
    },
  };
}

/** What is answered; where something is sure to come, all until it is enough. */
async function answerTo(
  socket: string,
  bytes: string | Buffer,
  isEnough?: (answer: string) => boolean,
): Promise<string> {
  const client = connect(socket);
  client.write(bytes);
  let answer = '';
  client.on('data', (chunk) => {
    answer += chunk;
  });
  client.on('error', () => undefined);
  const over = new Promise((closed) => client.once('close', closed));
  // Who neither answers nor hangs up waits for more, or has nothing to say.
  if (!isEnough) client.setTimeout(150, () => client.destroy());
  else await until('it is answered', () => client.destroyed || isEnough(answer));
  if (isEnough) client.destroy();
  await over;
  return answer;
}
