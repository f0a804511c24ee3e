import { createHmac } from 'node:crypto';
import type { Sent } from '../http/dialect.ts';

/** Bare hex in its own headers; the same again under the names of Gogs and GitHub. Forgejo's own come first. */
export function giteaHookHeaders(isForgejo: boolean, { message, guid, body, secret }: Sent) {
  const sign = (algorithm: string) => createHmac(algorithm, secret).update(body).digest('hex');
  const signature = secret === '' ? '' : sign('sha256');
  const { event, type } = message;
  const named = (prefix: string) => ({
    [`X-${prefix}-Delivery`]: guid,
    [`X-${prefix}-Event`]: event,
    [`X-${prefix}-Event-Type`]: type,
    [`X-${prefix}-Signature`]: signature,
  });
  return {
    'Content-Type': 'application/json',
    ...(isForgejo ? named('Forgejo') : {}),
    ...named('Gitea'),
    'X-Gitea-Hook-Installation-Target-Type': 'repository',
    ...named('Gogs'),
    'X-Hub-Signature': `sha1=${secret === '' ? '' : sign('sha1')}`,
    'X-Hub-Signature-256': `sha256=${signature}`,
    'X-GitHub-Delivery': guid,
    'X-GitHub-Event': event,
    'X-GitHub-Event-Type': type,
    'X-GitHub-Hook-Installation-Target-Type': 'repository',
  };
}
