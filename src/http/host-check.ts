import type { IncomingMessage } from 'node:http';
import { problem, type Refused } from './problem.ts';

export interface Address {
  /** The address the hall listens on, from the configuration. */
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | null;
  /** Other hosts by which the hall is known, with the port unless it is the scheme's default. */
  readonly moreHosts: readonly string[];
}

/**
 * Refuses requests that name a host other than the hall (a foreign page whose name points here),
 * and requests that a page of another site makes a browser send.
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
    if (isNamedTwice(request)) return problem('misdirected', 'the request has two Host headers');
    const host = headers.host?.toLowerCase();
    if (host === undefined || !isOurs(host, socket)) {
      return problem(
        'misdirected',
        `the hall does not accept the host ${shortened(host ?? '')}; ${HOW_TO_ALLOW}`,
      );
    }
    const { origin } = headers;
    if (origin !== undefined && !isOurs(hostOf(origin), socket)) {
      return problem('foreign_origin', "the request's Origin is not this hall");
    }
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      return problem('foreign_origin', 'a page of another site sent this request');
    }
    return undefined;
  };
}

/** Node uses the first of several, and a proxy in front may have used the last. */
function isNamedTwice({ rawHeaders }: IncomingMessage): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') times += 1;
  }
  return times > 1;
}

const HOW_TO_ALLOW = 'to allow it, add it to hall.allowed_hosts in the configuration';

/** Echoes no more of the untrusted host than the longest valid name. */
function shortened(host: string): string {
  return host === '' ? '""' : host.slice(0, 253);
}

function hostOf(origin: string): string {
  return /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]?.toLowerCase() ?? '';
}

/** A dual-stack socket reports an IPv4 address as an IPv6 one. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '');
}

function bracketed(host: string): string {
  const plain = host.toLowerCase();
  return plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain;
}
