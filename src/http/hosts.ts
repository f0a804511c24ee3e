import type { IncomingMessage } from 'node:http';
import { problem, type Refused } from './problem.ts';

export interface Address {
  /** Where the hall listens, as the configuration has it. */
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | null;
  /** Further hosts under which the hall is known, with their port where it is not the scheme's own. */
  readonly moreHosts: readonly string[];
}

/**
 * Refuses requests that reached this socket under a name that is not the hall's (a page of a
 * stranger whose name was pointed here) and those that a page of another site makes a browser send.
 */
export function createHostCheck(
  address: Address,
): (request: IncomingMessage) => Refused | undefined {
  const known = new Set(address.moreHosts.map((host) => host.toLowerCase()));
  if (address.publicUrl !== null) known.add(new URL(address.publicUrl).host);
  const names = ['localhost', '127.0.0.1', '[::1]', bracketed(address.host)];

  function isOurs(host: string, { localAddress, localPort }: IncomingMessage['socket']): boolean {
    if (known.has(host)) return true;
    const port = localPort === 80 ? '' : `:${localPort}`;
    if (names.some((name) => host === `${name}${port}`)) return true;
    return host === `${bracketed(plainAddress(localAddress))}${port}`;
  }

  return (request) => {
    const { headers, socket } = request;
    if (isNamedTwice(request)) return problem('misdirected', 'the request names two hosts');
    const host = headers.host?.toLowerCase();
    if (host === undefined || !isOurs(host, socket)) {
      return problem('misdirected', `the hall is not known as ${shortened(host ?? '')}; ${WAY_IN}`);
    }
    const { origin } = headers;
    if (origin !== undefined && !isOurs(hostOf(origin), socket)) {
      return problem('foreign_origin', 'the Origin of the request is not this hall');
    }
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      return problem('foreign_origin', 'a page of another site sent this request');
    }
    return undefined;
  };
}

/** Node takes the first of several, and a proxy before it may have taken the last. */
function isNamedTwice({ rawHeaders }: IncomingMessage): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') times += 1;
  }
  return times > 1;
}

const WAY_IN = 'if it is to be, add that name to hall.allowed_hosts in the configuration';

/** What a stranger sent is told back no longer than a name can be. */
function shortened(host: string): string {
  return host === '' ? 'nothing' : host.slice(0, 253);
}

function hostOf(origin: string): string {
  return /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]?.toLowerCase() ?? '';
}

/** An IPv4 address on a socket that takes both kinds is written as an IPv6 one. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '');
}

function bracketed(host: string): string {
  const plain = host.toLowerCase();
  return plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain;
}
