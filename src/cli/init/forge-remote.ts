import { existsSync } from 'node:fs';
import type { ForgeKind } from '../../api/forges.ts';
import type { Environment } from '../../config/variable-references.ts';
import { textFrom } from './bare-clone.ts';

/** A repository on a forge, as a remote of git names it. */
interface ForgeRemote {
  /** `https://forge.example`. */
  readonly url: string;
  /** `owner/name`. */
  readonly path: string;
}

export interface RecognisedForge extends ForgeRemote {
  readonly kind: ForgeKind;
}

/** Where a repository comes from, if that is a server: the address itself, or the remote `origin` of a folder. */
export async function remoteOf(
  from: string,
  environment: Environment,
): Promise<ForgeRemote | undefined> {
  if (!existsSync(from)) return remoteIn(from);
  const origin = await textFrom(from, environment, 'remote', 'get-url', 'origin');
  return origin === null ? undefined : remoteIn(origin.trim());
}

/** The parts of `https://host/owner/name.git`, `git@host:owner/name.git` and `ssh://git@host/owner/name`. */
export function remoteIn(address: string): ForgeRemote | undefined {
  const [, host, path] =
    /^(?:[\w.-]+@)?([\w.-]+\.[\w.-]+|localhost):(?!\/\/)(.+)$/.exec(address) ?? [];
  if (host !== undefined && path !== undefined) return remoteFrom(`https://${host}`, path);
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin, hostname, pathname } = new URL(address);
  if (protocol === 'ssh:' || protocol === 'git+ssh:') {
    return remoteFrom(`https://${hostname.replace(/^ssh\./, '')}`, pathname);
  }
  return protocol === 'https:' || protocol === 'http:' ? remoteFrom(origin, pathname) : undefined;
}

function remoteFrom(url: string, path: string): ForgeRemote | undefined {
  const plain = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return /^[^/\s]+\/[^/\s]+$/.test(plain) ? { url, path: plain } : undefined;
}

/** Asks the server what it is, unless its name says so. Undefined for one that is none of the three. */
export async function recognise(remote: ForgeRemote): Promise<RecognisedForge | undefined> {
  if (remote.url === 'https://github.com') return { ...remote, kind: 'github' };
  const { kindOfServer } = await import('../../main/try-forge.ts');
  try {
    return { ...remote, kind: await kindOfServer(remote.url) };
  } catch {
    return undefined;
  }
}
