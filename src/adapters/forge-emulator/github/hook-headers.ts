import { createHmac } from 'node:crypto';
import type { Sent } from '../http/dialect.ts';

export function githubHookHeaders({ message, guid, body, secret, hookId, target }: Sent) {
  const sign = (algorithm: string) =>
    `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`;
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'GitHub-Hookshot/emulator',
    'X-GitHub-Delivery': guid,
    'X-GitHub-Event': message.event,
    'X-GitHub-Hook-ID': String(hookId),
    'X-GitHub-Hook-Installation-Target-ID': String(target.id),
    'X-GitHub-Hook-Installation-Target-Type': target.type,
    ...(secret === ''
      ? {}
      : { 'X-Hub-Signature': sign('sha1'), 'X-Hub-Signature-256': sign('sha256') }),
  };
}
