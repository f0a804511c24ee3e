import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Address } from './hosts.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets what is under way end, and cuts what does not. */
  close(grace: number): Promise<void>;
  /** Breaks every connection; whoever waits has to come again. */
  cut(): void;
}

/** Whoever sends slowly or sends nothing is cut off; long polls are answers, and may take their time. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  noDelay: true,
} as const;

const MOST_CONNECTIONS = 20_000;

export async function listen(
  { host, port }: Pick<Address, 'host' | 'port'>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  const server = createServer(LIMITS, handle);
  server.maxConnections = MOST_CONNECTIONS;
  server.on('clientError', refuse);
  server.listen(port, host);
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

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is not HTTP gets the shortest answer there is. */
function refuse(fault: NodeJS.ErrnoException, socket: Socket): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS[fault.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
