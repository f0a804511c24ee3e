import type { GitAccess } from '../../ports/forge.ts';

const TIMEOUT = 20_000;

/**
 * Why git may not push; null when it may. The first request of a push is answered only to those who may, and
 * changes nothing.
 */
export async function whyNoPush({
  url,
  credential,
}: Pick<GitAccess, 'url' | 'credential'>): Promise<string | null> {
  const who = credential.includes(':') ? credential : `x-access-token:${credential}`;
  const authorization = `Basic ${Buffer.from(who).toString('base64')}`;
  try {
    const response = await fetch(`${url}/info/refs?service=git-receive-pack`, {
      headers: { authorization, 'user-agent': 'git/2 guildhall' },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.arrayBuffer();
    return response.status === 200 ? null : `git was answered with ${response.status}`;
  } catch (error) {
    return `git got no answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}
