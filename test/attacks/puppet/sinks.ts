import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Listeners on every address of the machine; only an escaped program connects to them. */
export interface Sinks extends AsyncDisposable {
  readonly port: number;
  readonly addresses: readonly string[];
  /** What came in, by how it came. */
  readonly reached: readonly string[];
}

export async function openSinks(): Promise<Sinks> {
  const reached: string[] = [];
  const tcp = createServer((client) => {
    reached.push(`tcp from ${client.remoteAddress}`);
    client.on('error', () => undefined).destroy();
  });
  tcp.listen(0, '::');
  await once(tcp, 'listening');
  const port = (tcp.address() as { port: number }).port;
  const udp = createSocket('udp6');
  udp.on('message', (_, from) => reached.push(`udp from ${from.address}`));
  udp.bind(port, '::');
  await once(udp, 'listening');
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return {
    port,
    addresses: own.map(({ address }) => address).filter((address) => !address.startsWith('fe80')),
    reached,
    async [Symbol.asyncDispose]() {
      udp.close();
      tcp.close();
    },
  };
}
