import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, request, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAllowList } from './allow-list.ts';
import { type Decision, decide, type Resolve, type Wish } from './decide.ts';
import { absoluteTarget, connectTarget } from './target.ts';
import { openTunnel } from './tunnel.ts';

interface EgressNeeds {
  /** The Unix socket to listen on; a file that does not exist yet. */
  readonly socket: string;
  /** Lines of `parseAllowed`; with none, nothing leaves. */
  readonly allowed: readonly string[];
  /** Told of each decision, once for each connection. */
  readonly decided: (decision: Decision) => void;
  readonly resolve?: Resolve | undefined;
  readonly maxConnections?: number | undefined;
}

const MAX_CONNECTIONS = 64;
const MAX_HEADERS = 16 * 1024;
const DIAL_WITHIN = 20_000;
const SILENT_FOR = 5 * 60_000;

/** An HTTP proxy that reaches the hosts on its list and no others. */
export async function openEgress(needs: EgressNeeds): Promise<AsyncDisposable> {
  const { socket, allowed, decided, resolve = resolveName } = needs;
  const list = createAllowList(allowed);
  const open = new Set<Duplex>();
  const server = createServer({ maxHeaderSize: MAX_HEADERS, requireHostHeader: true });
  server.maxConnections = needs.maxConnections ?? MAX_CONNECTIONS;

  async function dial(wish: Wish): Promise<Socket | string> {
    const decision = await decide({ list, resolve }, wish);
    decided(decision);
    if (!decision.allowed) return decision.because;
    return dialled(decision, open);
  }

  function turnAway(
    client: Duplex | ServerResponse,
    { url = '' }: IncomingMessage,
    because: string,
  ): void {
    decided({ allowed: false, host: url.slice(0, 200), port: 0, because });
    refuse(client, 400, because);
  }

  server.on('connection', (client) => keep(open, client));
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    const wish = connectTarget(asked.url ?? '');
    if (wish === undefined) return turnAway(client, asked, 'this is not a host and a port');
    openTunnel({ dial, refuse }, { wish, client, head }).catch(() => client.destroy());
  });
  server.on('upgrade', (asked: IncomingMessage, client: Duplex) => {
    turnAway(client, asked, 'other protocols go through CONNECT');
  });
  server.on('request', (asked, answer) => {
    const target = absoluteTarget(asked.url ?? '', asked.headers.host);
    if (target === undefined) return turnAway(answer, asked, 'this is not a URL for a proxy');
    forward({ dial, target }, asked, answer).catch(() => answer.destroy());
  });
  server.on('clientError', (error, client) => {
    refuse(
      client,
      'code' in error && error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400,
      'bad request',
    );
  });
  server.listen(socket);
  await once(server, 'listening');
  chmodSync(socket, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const each of open) each.destroy();
      await closed;
    },
  };
}

/** Only asked after the name was allowed, so that a name carries nothing out. */
async function resolveName(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

/** Dials the address that was decided on; nobody resolves the name a second time. */
function dialled({ address, port }: Wish & { address: string }, open: Set<Duplex>) {
  return new Promise<Socket | string>((settle) => {
    const socket = connect({ host: address, port, timeout: DIAL_WITHIN, allowHalfOpen: true });
    keep(open, socket);
    socket.once('connect', () => {
      socket.setTimeout(SILENT_FOR);
      settle(socket);
    });
    socket.once('error', (error) => settle(`cannot be reached: ${error.message}`));
    socket.once('timeout', () => {
      socket.destroy();
      settle('cannot be reached in time');
    });
  });
}

function keep(open: Set<Duplex>, socket: Duplex): void {
  open.add(socket);
  socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket));
}

function refuse(client: Duplex | ServerResponse, status: number, because: string): void {
  if (client instanceof ServerResponse) {
    client.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
    return void client.end(`guildhall: ${because}\n`);
  }
  if (!client.writable) return void client.destroy();
  const body = `guildhall: ${because}\n`;
  const head = `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Refused'}`;
  const length = Buffer.byteLength(body);
  client.end(
    `${head}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

interface Onward {
  readonly dial: (wish: Wish) => Promise<Socket | string>;
  readonly target: Wish & { readonly path: string };
}

/** Parsed and written anew, so that what the other side reads is what was decided on. */
async function forward(
  { dial, target }: Onward,
  asked: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const socket = await dial(target);
  if (typeof socket === 'string') return refuse(answer, 403, socket);
  // Who left while the host was dialled is gone for good, and nothing would ever end the connection.
  if (answer.closed) return void socket.destroy();

  const onward = request({
    createConnection: () => socket,
    method: asked.method,
    path: target.path,
    headers: { ...passedOn(asked), connection: 'close' },
  });
  onward.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, { ...passedOn(response), connection: 'close' });
    response.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  answer.once('close', () => socket.destroy());
  asked.pipe(onward);
}

const OF_ONE_HOP = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];

function passedOn({ headers }: IncomingMessage): Record<string, string | string[]> {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_ONE_HOP.includes(name) || named.includes(name)
        ? []
        : [[name, value]],
    ),
  );
}
