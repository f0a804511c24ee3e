import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Repository, RepositoryFailed } from '../../ports/workspace.ts';

/** A repository's address, parsed once. */
export interface Remote {
  /** As passed to git: an absolute path or a URL without credentials. */
  readonly url: string;
  readonly protocol: 'file' | 'https' | 'http';
  readonly credential: string | null;
}

/** Refuses everything else that git accepts as a remote (ssh, `ext::`, options), by name. */
export function remoteOf({ url, credential }: Repository): Remote {
  if (hasControl(url)) throw refused(url, 'it contains control characters');
  if (isAbsolute(url)) return { url, protocol: 'file', credential: null };
  const address = URL.canParse(url) ? new URL(url) : undefined;
  switch (address?.protocol) {
    case 'file:':
      return { url: fileURLToPath(address), protocol: 'file', credential: null };
    case 'https:':
      return { url: withoutUser(address), protocol: 'https', credential };
    case 'http:':
      if (!LOOPBACK.includes(address.hostname)) {
        throw refused(url, 'http would send the credential and the code unencrypted; use https');
      }
      return { url: withoutUser(address), protocol: 'http', credential };
    default:
      throw refused(url, 'use an absolute path, a file: URL or an https: URL');
  }
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

function withoutUser(address: URL): string {
  if (address.username !== '' || address.password !== '') {
    throw refused(
      address.host,
      'its URL contains a credential; configure the credential separately',
    );
  }
  return address.href;
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function refused(url: string, because: string): RepositoryFailed {
  const shown = url.replace(/\/\/[^/@]*@/, '//').replace(/\p{Cc}/gu, '?');
  return new RepositoryFailed(`the repository ${shown} cannot be used: ${because}`);
}
