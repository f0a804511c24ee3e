import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import type { HallSettings } from '../config/config.ts';
import { type Address, spellAddress } from '../config/units.ts';

const EVERYWHERE = ['0.0.0.0', '::'];

/** How a command on this machine reaches a hall that listens there. */
export function localUrl({ host, port }: Address): string {
  const near = host === '::' ? '::1' : '127.0.0.1';
  return `http://${spellAddress({ host: EVERYWHERE.includes(host) ? near : host, port })}`;
}

/** How the other halls on the same database reach this one. */
export function nodeUrl({
  nodeUrl: named,
  listen,
}: Pick<HallSettings, 'nodeUrl' | 'listen'>): string {
  if (named !== null) return named.replace(/\/+$/, '');
  const host = EVERYWHERE.includes(listen.host) ? hostname() : listen.host;
  return `http://${spellAddress({ host, port: listen.port })}`;
}

/** A hall that shares its database says where it is before it listens, so it has to know its port. */
export async function withPort(listen: Address): Promise<Address> {
  if (listen.port !== 0) return listen;
  const server = createServer().listen(0, listen.host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? { ...listen, port: address.port } : listen;
}
