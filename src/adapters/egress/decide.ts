import { canonicalAddress, isPublic } from './addresses.ts';
import { type AllowList, normalName } from './allow-list.ts';

/** The destination that a program requested, as written. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** One decision per connection; exactly this address is dialled. */
export type Decision =
  | {
      readonly allowed: true;
      readonly host: string;
      readonly port: number;
      readonly address: string;
    }
  | {
      readonly allowed: false;
      readonly host: string;
      readonly port: number;
      readonly because: string;
    };

export type Resolve = (name: string) => Promise<readonly string[]>;

interface Needs {
  readonly list: AllowList;
  readonly resolve: Resolve;
}

/** Decides by the name before resolving it, then by the address it resolves to. */
export async function decide(
  { list, resolve }: Needs,
  destination: Destination,
): Promise<Decision> {
  const { port } = destination;
  const refusal = (because: string): Decision => ({
    allowed: false,
    host: destination.host,
    port,
    because,
  });

  const address = canonicalAddress(destination.host);
  if (address !== undefined) {
    if (!list.allowsAddress(address, port)) return refusal('the address is not on the allow list');
    return { allowed: true, host: address, port, address };
  }
  const name = normalName(destination.host);
  if (name === undefined) return refusal('not a valid host name');
  if (!list.allowsName(name, port)) return refusal('the host is not on the allow list');

  const addresses = (await resolve(name)).flatMap((each) => canonicalAddress(each) ?? []);
  const usable = addresses.find((each) => isPublic(each) || list.allowsAddress(each, port));
  if (usable !== undefined) return { allowed: true, host: name, port, address: usable };
  if (addresses.length === 0) return refusal('the name does not resolve');
  return refusal(`the name resolves to ${addresses.join(', ')}, which is not a public address`);
}
