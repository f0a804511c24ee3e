import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { canonicalAddress } from './addresses.ts';
import { normalName } from './allow-list.ts';
import type { Destination } from './decide.ts';
import { serverNameIn } from './server-name.ts';

interface Needs {
  readonly dial: (destination: Destination) => Promise<Socket | string>;
  readonly refuse: (client: Duplex, status: number, because: string) => void;
}

interface TunnelRequest {
  readonly destination: Destination;
  readonly client: Duplex;
  readonly head: Buffer;
}

/**
 * Carries bytes both ways. On the HTTPS port the first message must be a TLS hello for the allowed
 * host: a front that serves many hosts would route it to another one.
 */
export async function openTunnel(
  { dial, refuse }: Needs,
  { destination, client, head }: TunnelRequest,
): Promise<void> {
  const socket = await dial(destination);
  if (typeof socket === 'string') return refuse(client, 403, socket);

  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  client.once('close', () => socket.destroy());
  socket.once('close', () => client.destroy());
  if (head.length > 0) client.unshift(head);
  if (destination.port !== 443 || canonicalAddress(destination.host) !== undefined)
    return pipeBothWays(client, socket);

  const hello = await readHello(client);
  if (!namesHost(hello, destination.host)) return void client.destroy();
  socket.write(hello);
  pipeBothWays(client, socket);
}

function pipeBothWays(client: Duplex, socket: Socket): void {
  client.pipe(socket).pipe(client);
}

/** The client's bytes until its hello is complete or turns out not to be one. */
async function readHello(client: Duplex): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (serverNameIn(bytes) === 'more') {
    const chunk: Buffer | null = client.read();
    if (chunk !== null) bytes = Buffer.concat([bytes, chunk]);
    else if (!(await isReadable(client))) return bytes;
  }
  return bytes;
}

function isReadable(client: Duplex): Promise<boolean> {
  return new Promise((settle) => {
    if (client.destroyed || client.readableEnded) return settle(false);
    const done = (is: boolean) => {
      client.off('readable', more).off('end', none).off('close', none);
      settle(is);
    };
    const more = () => done(true);
    const none = () => done(false);
    client.once('readable', more).once('end', none).once('close', none);
  });
}

function namesHost(hello: Buffer, host: string): boolean {
  const name = serverNameIn(hello);
  return name !== undefined && name !== 'more' && normalName(name) === normalName(host);
}
