import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Address } from './host-check.ts';
import { LINGER } from './send.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Accepts no more connections, lets open requests finish, and cuts them after `grace`. */
  close(grace: number): Promise<void>;
  /** Closes every connection; waiting clients have to reconnect. */
  cut(): void;
}

/**
 * The hall cuts off clients that send slowly or not at all; long polls are answers and may take
 * their time. A client on a busy machine may take long between connecting and sending: with ten
 * seconds, one that opened 5,000 connections at once was cut off before it used the last. Proxies
 * keep idle connections for a minute, and the client should be the one to close first.
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
 * Connections that the kernel queues while the hall is busy, capped at net.core.somaxconn. Beyond
 * that it drops packets, and clients retry after 1, 3, 7 and 15 seconds.
 */
const BACKLOG = 4_096;

/** Tests pass `limits`, because they cannot wait that long. */
export async function listen(
  { host, port }: Pick<Address, 'host' | 'port'>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  limits: ServerOptions = {},
): Promise<Listening> {
  const server = createServer({ ...LIMITS, ...limits }, (request, response) => {
    // The client was already refused; running a request that cannot be answered would be worse.
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
 * Closes an idle keep-alive connection. After a stall, timers fire before the process has read what
 * arrived meanwhile, and it would reset a connection with a request on it. So it reads first.
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
 * Sends the shortest possible answer to a request that is late or not HTTP. It then discards what
 * the client still sends for a while: closing a connection with unread data resets it, and the
 * client would never see why.
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
