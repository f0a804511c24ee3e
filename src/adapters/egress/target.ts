import type { Destination } from './decide.ts';

/** The target of CONNECT: a host and a port and nothing else. */
export function connectTarget(target: string): Destination | undefined {
  const parts = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]@/?#\\%]+)):([1-9]\d{0,4})$/.exec(target);
  const port = Number(parts?.[3]);
  const host = parts?.[1] ?? parts?.[2];
  return host === undefined || port > 65_535 ? undefined : { host, port };
}

/** A request in proxy form: an absolute http URL without a user, whose host matches the Host header. */
export function absoluteTarget(
  target: string,
  host: string | undefined,
): (Destination & { readonly path: string }) | undefined {
  const parts = /^http:\/\/([^/?#\\@]+)([/?][\x21-\x7e]*)?$/i.exec(target);
  const authority = parts?.[1] ?? '';
  const destination = connectTarget(/:\d+$/.test(authority) ? authority : `${authority}:80`);
  if (destination === undefined || host?.toLowerCase() !== authority.toLowerCase())
    return undefined;
  const path = parts?.[2] ?? '/';
  return { ...destination, path: path.startsWith('/') ? path : `/${path}` };
}
