import { addressOf, isWide } from './addresses.ts';
import { type AllowList, normalName } from './allow-list.ts';

/** Where a program wants to go, as it was written. */
export interface Wish {
  readonly host: string;
  readonly port: number;
}

/** Decided once for each connection; the address is the one that is dialled. */
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

/** By the name, before it is resolved, and then by the address it leads to. */
export async function decide({ list, resolve }: Needs, wish: Wish): Promise<Decision> {
  const { port } = wish;
  const no = (because: string): Decision => ({ allowed: false, host: wish.host, port, because });

  const address = addressOf(wish.host);
  if (address !== undefined) {
    if (!list.allowsAddress(address, port)) return no('the address is not on the list');
    return { allowed: true, host: address, port, address };
  }
  const name = normalName(wish.host);
  if (name === undefined) return no('this is not a host name');
  if (!list.allowsName(name, port)) return no('the host is not on the list');

  const addresses = (await resolve(name)).flatMap((each) => addressOf(each) ?? []);
  const usable = addresses.find((each) => isWide(each) || list.allowsAddress(each, port));
  if (usable !== undefined) return { allowed: true, host: name, port, address: usable };
  if (addresses.length === 0) return no('the name has no address');
  return no(`the name leads to ${addresses.join(', ')}, which is not of the wide network`);
}
