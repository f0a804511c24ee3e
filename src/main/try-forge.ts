import { createGitea } from '../adapters/gitea/gitea.ts';
import { createGitHub } from '../adapters/github/github.ts';
import type { ForgeKind } from '../domain/forge/forge-kind.ts';
import { ForgeFailed } from '../ports/forge.ts';

export interface TriedForge {
  readonly kind: ForgeKind;
  readonly url: string;
  readonly token: string;
}

/** The account of a token, found out by using it. Throws `ForgeFailed`. */
export async function accountOfToken({ kind, url, token }: TriedForge): Promise<string> {
  const now = Date.now;
  const forge =
    kind === 'github'
      ? createGitHub({ name: kind, url, apiUrl: null, credential: () => ({ token }), now })
      : createGitea({ name: kind, kind, url, token: () => token, now });
  return (await forge.account()).login;
}

const TIMEOUT = 20_000;

/** Which of the two a server is: only Forgejo answers under its own name. */
export async function kindOfServer(url: string): Promise<'gitea' | 'forgejo'> {
  const ask = async (path: string) => {
    try {
      const response = await fetch(`${url}${path}`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      await response.arrayBuffer();
      return response.status;
    } catch (cause) {
      const { message } = ((cause as Error).cause ?? cause) as Error;
      throw new ForgeFailed(`${url} does not answer: ${message}`, { retry: 'later', cause });
    }
  };
  if ((await ask('/api/forgejo/v1/version')) === 200) return 'forgejo';
  const status = await ask('/api/v1/version');
  // A server that is closed to visitors answers 401 or 403.
  if ([200, 401, 403].includes(status)) return 'gitea';
  throw new ForgeFailed(
    `${url} is no Gitea and no Forgejo: /api/v1/version was answered with ${status}`,
    {
      retry: 'never',
    },
  );
}
