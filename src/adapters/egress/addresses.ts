import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The canonical form of an address: `::ffff:10.0.0.1` is 10.0.0.1, IPv6 is as short as possible.
 * Undefined for anything not written as an address, such as 010.0.0.1 and 2130706433.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const short = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (!mapped) return short;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether an address is on the public internet: not this host, not the local network, not special. */
export function isPublic(address: string): boolean {
  const plain = canonicalAddress(address);
  if (plain === undefined) return false;
  if (isIPv4(plain)) return !NON_PUBLIC.check(plain, 'ipv4');
  // All public space assigned so far; anything else is unreachable.
  return PUBLIC_V6.check(plain, 'ipv6') && !NON_PUBLIC.check(plain, 'ipv6');
}

/** IANA's registries of special addresses, and the ranges that embed an IPv4 address. */
const NON_PUBLIC = blockList([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // The address at which one cloud serves its machine metadata.
  ['168.63.129.16', 32],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

const PUBLIC_V6 = blockList([['2000::', 3]]);

function blockList(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ranges) {
    list.addSubnet(network, bits, isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
