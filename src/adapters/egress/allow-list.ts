import { isIP } from 'node:net';
import { canonicalAddress } from './addresses.ts';

/** One line of the list: a host, `*.suffix` or an address, with the allowed ports. */
interface AllowedHost {
  readonly host: string;
  readonly ports: readonly number[];
}

export interface AllowList {
  /** Whether a name may be resolved and a public address behind it dialled. */
  allowsName(name: string, port: number): boolean;
  /** Whether the list names an address itself; non-public addresses can be reached in no other way. */
  allowsAddress(address: string, port: number): boolean;
}

const DEFAULT_PORTS = [443];

/**
 * Lines as in the configuration: `packages.example`, `*.example.com:443`, `10.0.0.7:3000`,
 * `[fd00::7]:3000`. The default port is 443. Any other line is the operator's mistake.
 */
function parseAllowedHost(line: string): AllowedHost {
  const { host, port } = splitPort(line.trim());
  const ports = port === undefined ? DEFAULT_PORTS : [parsePort(port, line)];
  const address = canonicalAddress(host);
  if (address !== undefined) return { host: address, ports };

  const name = normalName(host.replace(/^\*\./, ''));
  if (name === undefined || !name.includes('.')) {
    throw new Error(`${line} is not a host name with a dot, a *.suffix or an address`);
  }
  return { host: host.startsWith('*.') ? `*.${name}` : name, ports };
}

export function createAllowList(lines: readonly string[]): AllowList {
  const allowed = lines.map(parseAllowedHost);
  const isListed = (port: number, matches: (host: string) => boolean) =>
    allowed.some(({ host, ports }) => ports.includes(port) && matches(host));
  return {
    allowsName: (name, port) => isListed(port, (host) => matchesHost(host, name)),
    allowsAddress: (address, port) => isListed(port, (host) => host === address),
  };
}

/**
 * A name in comparable form: lower case, no trailing dot, ASCII. Undefined for anything but a plain
 * host name, so that the name we check is the name that is resolved.
 */
export function normalName(name: string): string | undefined {
  const plain = name.toLowerCase().replace(/\.$/, '');
  if (plain.length > 253 || isIP(plain) !== 0) return undefined;
  const labels = plain.split('.');
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // Some resolvers read a last label of digits as an address: 127.1, 0x7f.1, 2130706433.
  return /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? undefined : plain;
}

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** `*.example.com` covers every name below example.com, but not example.com itself. */
function matchesHost(host: string, name: string): boolean {
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) : host === name;
}

function splitPort(line: string): { host: string; port: string | undefined } {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(line);
  if (bracketed) return { host: bracketed[1] ?? '', port: bracketed[2] };
  const [host = '', port, ...more] = line.split(':');
  return more.length > 0 ? { host: line, port: undefined } : { host, port };
}

function parsePort(text: string, line: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`the port of ${line} must be between 1 and 65535`);
}
