import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Remote } from './remote.ts';

interface OpenCredential {
  /** Passed to git as descriptor 3. */
  readonly fd: number;
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * Puts the credential as a header in a settings file that is unlinked before the secret is written. The
 * secret is in no argument, environment or folder, and the kernel frees it with the last git that has
 * the file open, however this process ends.
 */
export function openCredential(folder: string, { url, credential }: Remote): OpenCredential {
  const name = join(folder, randomUUID());
  const fd = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  const who = credential?.includes(':') ? credential : `x-access-token:${credential}`;
  const header = `Authorization: Basic ${Buffer.from(who).toString('base64')}`;
  writeSync(fd, `[http "${new URL(url).origin}/"]\n\textraHeader = "${header}"\n`);
  return { fd, env: { GIT_CONFIG_GLOBAL: '/dev/fd/3' }, close: () => closeSync(fd) };
}
