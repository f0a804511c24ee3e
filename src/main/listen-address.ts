import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import type { HallSettings } from '../config/config.ts';
import { type Address, spellAddress } from '../config/units.ts';

const EVERYWHERE = ['0.0.0.0', '::'];

/** The URL at which commands on this machine reach a hall with this listen address. */
export function localUrl({ host, port }: Address): string {
  const near = host === '::' ? '::1' : '127.0.0.1';
  return `http://${spellAddress({ host: EVERYWHERE.includes(host) ? near : host, port })}`;
}

/** The URL at which other nodes on the same database reach this one. */
export function nodeUrl({
  nodeUrl: named,
  listen,
}: Pick<HallSettings, 'nodeUrl' | 'listen'>): string {
  if (named !== null) return named.replace(/\/+$/, '');
  const host = EVERYWHERE.includes(listen.host) ? hostname() : listen.host;
  return `http://${spellAddress({ host, port: listen.port })}`;
}

/** A node with a shared database publishes its address before it listens, so it must know its port. */
export async function withPort(listen: Address): Promise<Address> {
  if (listen.port !== 0) return listen;
  const server = createServer().listen(0, listen.host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? { ...listen, port: address.port } : listen;
}
