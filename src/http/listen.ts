import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Address } from './hosts.ts';
import { LINGER } from './send.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets what is under way end, and cuts what does not. */
  close(grace: number): Promise<void>;
  /** Breaks every connection; whoever waits has to come again. */
  cut(): void;
}

/**
 * Whoever sends slowly or sends nothing is cut off; long polls are answers, and may take their time. A client on a
 * busy machine may need long from connecting to asking: with ten seconds, one that opened 5,000 connections at once was
 * cut off before it got to the last. Proxies keep idle connections for a minute; who closes first is to be the client.
 */
const LIMITS = {
  headersTimeout: 60_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  noDelay: true,
} as const;

const MAX_CONNECTIONS = 20_000;

/**
 * Connections that the kernel takes while the hall is busy; it takes no more than net.core.somaxconn. Of further ones it
 * drops packets, and their clients try again after 1, 3, 7 and 15 seconds.
 */
const BACKLOG = 4_096;

/** `limits` is for tests, which cannot wait so long. */
export async function listen(
  { host, port }: Pick<Address, 'host' | 'port'>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  limits: ServerOptions = {},
): Promise<Listening> {
  const server = createServer({ ...LIMITS, ...limits }, (request, response) => {
    // Its client was refused already; to carry out a request that cannot be answered would be worse.
    if (request.socket.writableEnded) request.resume();
    else handle(request, response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', refuse);
  server.on('timeout', closeUnlessRead);
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host;
  return {
    url: `http://${shown}:${address.port}`,
    port: address.port,
    cut: () => server.closeAllConnections(),
    async close(grace) {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * Closes a kept connection that nobody used. A process that was held up finds its timers due before it has read
 * what came meanwhile, and would reset a connection with a request on it: so it reads first.
 */
function closeUnlessRead(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * What is not HTTP, or comes too late, gets the shortest answer there is. What its client still sends is thrown away
 * for a while: a connection that is closed with something unread is reset, and the client would never see why.
 */
function refuse(fault: NodeJS.ErrnoException, socket: Socket): void {
  if (fault.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  if (socket.writableEnded) return;
  const status = STATUS[fault.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  setTimeout(() => socket.destroy(), LINGER).unref();
}
