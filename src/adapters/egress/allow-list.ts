import { isIP } from 'node:net';
import { canonicalAddress } from './addresses.ts';

/** One line of the list: a host or `*.suffix`, or an address, with the ports that may be reached. */
interface AllowedHost {
  readonly host: string;
  readonly ports: readonly number[];
}

export interface AllowList {
  /** Whether a name may be resolved and an address of the wide network behind it be dialled. */
  allowsName(name: string, port: number): boolean;
  /** Whether an address is named itself, which is the only way to those that are not of the wide network. */
  allowsAddress(address: string, port: number): boolean;
}

const DEFAULT_PORTS = [443];

/**
 * Lines as in the configuration: `registry.npmjs.org`, `*.example.com:443`, `10.0.0.7:3000`,
 * `[fd00::7]:3000`. Without a port it is 443. A line that is neither is a mistake of the operator.
 */
function parseAllowedHost(line: string): AllowedHost {
  const { host, port } = splitPort(line.trim());
  const ports = port === undefined ? DEFAULT_PORTS : [parsePort(port, line)];
  const address = canonicalAddress(host);
  if (address !== undefined) return { host: address, ports };

  const name = normalName(host.replace(/^\*\./, ''));
  if (name === undefined || !name.includes('.')) {
    throw new Error(`${line} is neither a host name with a dot, *.suffix, nor an address`);
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
 * A name as it is compared: lower case, without the dot at the end, ASCII. Undefined for whatever is
 * not a plain host name, so that the name that is decided on is the name that is resolved.
 */
export function normalName(name: string): string | undefined {
  const plain = name.toLowerCase().replace(/\.$/, '');
  if (plain.length > 253 || isIP(plain) !== 0) return undefined;
  const labels = plain.split('.');
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // A last label of digits is read as an address by some resolvers: 127.1, 0x7f.1, 2130706433.
  return /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? undefined : plain;
}

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** `*.example.com` covers every name below example.com and not example.com itself. */
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
  throw new Error(`${line} has no port between 1 and 65535`);
}
