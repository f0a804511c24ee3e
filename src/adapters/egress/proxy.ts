import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, request, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAllowList } from './allow-list.ts';
import { type Decision, type Destination, decide, type Resolve } from './decide.ts';
import { absoluteTarget, connectTarget } from './target.ts';
import { openTunnel } from './tunnel.ts';

interface EgressNeeds {
  /** The Unix socket to listen on; the file must not exist yet. */
  readonly socket: string;
  /** Lines of `parseAllowed`; an empty list blocks everything. */
  readonly allowed: readonly string[];
  /** Called with each decision, once per connection. */
  readonly onDecision: (decision: Decision) => void;
  readonly resolve?: Resolve | undefined;
  readonly maxConnections?: number | undefined;
}

const MAX_CONNECTIONS = 64;
const MAX_HEADERS = 16 * 1024;
const CONNECT_TIMEOUT = 20_000;
const IDLE_TIMEOUT = 5 * 60_000;

/** An HTTP proxy that reaches only the hosts on its list. */
export async function openEgress(needs: EgressNeeds): Promise<AsyncDisposable> {
  const { socket, allowed, onDecision, resolve = resolveName } = needs;
  const list = createAllowList(allowed);
  const sockets = new Set<Duplex>();
  const server = createServer({ maxHeaderSize: MAX_HEADERS, requireHostHeader: true });
  server.maxConnections = needs.maxConnections ?? MAX_CONNECTIONS;

  async function dial(destination: Destination): Promise<Socket | string> {
    const decision = await decide({ list, resolve }, destination);
    onDecision(decision);
    if (!decision.allowed) return decision.because;
    return connectTo(decision, sockets);
  }

  function reject(
    client: Duplex | ServerResponse,
    { url = '' }: IncomingMessage,
    because: string,
  ): void {
    onDecision({ allowed: false, host: url.slice(0, 200), port: 0, because });
    refuse(client, 400, because);
  }

  server.on('connection', (client) => track(sockets, client));
  server.on('connect', (clientRequest: IncomingMessage, client: Duplex, head: Buffer) => {
    const destination = connectTarget(clientRequest.url ?? '');
    if (destination === undefined)
      return reject(client, clientRequest, 'CONNECT needs a host and a port');
    openTunnel({ dial, refuse }, { destination, client, head }).catch(() => client.destroy());
  });
  server.on('upgrade', (clientRequest: IncomingMessage, client: Duplex) => {
    reject(client, clientRequest, 'use CONNECT for other protocols');
  });
  server.on('request', (clientRequest, clientResponse) => {
    const target = absoluteTarget(clientRequest.url ?? '', clientRequest.headers.host);
    if (target === undefined)
      return reject(clientResponse, clientRequest, 'a proxy needs an absolute http: URL');
    forward({ dial, target }, clientRequest, clientResponse).catch(() => clientResponse.destroy());
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
      for (const each of sockets) each.destroy();
      await closed;
    },
  };
}

/** Called only after the name was allowed, so that a lookup cannot leak data. */
async function resolveName(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

/** Dials the address that was decided on; the name is not resolved a second time. */
function connectTo({ address, port }: Destination & { address: string }, sockets: Set<Duplex>) {
  return new Promise<Socket | string>((settle) => {
    const socket = connect({ host: address, port, timeout: CONNECT_TIMEOUT, allowHalfOpen: true });
    track(sockets, socket);
    socket.once('connect', () => {
      socket.setTimeout(IDLE_TIMEOUT);
      settle(socket);
    });
    socket.once('error', (error) => settle(`the host cannot be reached: ${error.message}`));
    socket.once('timeout', () => {
      socket.destroy();
      settle('the host did not respond in time');
    });
  });
}

function track(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket);
  socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
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

interface ForwardNeeds {
  readonly dial: (destination: Destination) => Promise<Socket | string>;
  readonly target: Destination & { readonly path: string };
}

/** Parses and rewrites the request, so that the other side reads exactly what was checked. */
async function forward(
  { dial, target }: ForwardNeeds,
  clientRequest: IncomingMessage,
  clientResponse: ServerResponse,
): Promise<void> {
  const socket = await dial(target);
  if (typeof socket === 'string') return refuse(clientResponse, 403, socket);
  // The client left while the host was dialled, and nothing else would end the connection.
  if (clientResponse.closed) return void socket.destroy();

  const upstream = request({
    createConnection: () => socket,
    method: clientRequest.method,
    path: target.path,
    headers: { ...forwardedHeaders(clientRequest), connection: 'close' },
  });
  upstream.on('response', (response) => {
    clientResponse.writeHead(response.statusCode ?? 502, {
      ...forwardedHeaders(response),
      connection: 'close',
    });
    response.pipe(clientResponse);
  });
  upstream.on('error', () => clientResponse.destroy());
  clientResponse.once('close', () => socket.destroy());
  clientRequest.pipe(upstream);
}

const HOP_BY_HOP_HEADERS = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];

function forwardedHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP_HEADERS.includes(name) || named.includes(name)
        ? []
        : [[name, value]],
    ),
  );
}
