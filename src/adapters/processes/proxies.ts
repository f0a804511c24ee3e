import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

interface LoopbackProxies {
  /** Loopback addresses; null where there is no socket behind. */
  readonly gateway: string | null;
  readonly egress: string | null;
  close(): Promise<void>;
}

/** Without isolation the host itself forwards loopback to the sockets. */
export async function openProxies(sockets: {
  readonly gateway?: string;
  readonly egress?: string;
}): Promise<LoopbackProxies> {
  const gateway = await openProxy(sockets.gateway);
  const egress = await openProxy(sockets.egress);
  return {
    gateway: gateway?.url ?? null,
    egress: egress?.url ?? null,
    async close() {
      await gateway?.close();
      await egress?.close();
    },
  };
}

async function openProxy(socket: string | undefined) {
  if (socket === undefined) return null;
  const open = new Set<Socket>();
  const server = createServer((inside) => {
    const outside = connect(socket);
    for (const end of [inside, outside]) {
      open.add(end);
      end.on('error', () => undefined).once('close', () => open.delete(end));
    }
    inside.once('close', () => outside.destroy());
    outside.once('close', () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => closeAll(server, open) };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address.port;
}

async function closeAll(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of open) socket.destroy();
  await closed;
}
