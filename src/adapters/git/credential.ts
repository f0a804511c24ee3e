import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Remote } from './remote.ts';

interface OpenCredential {
  /** Handed to git as its descriptor 3. */
  readonly fd: number;
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * The credential as a header in a file of settings that has no name any more when the secret is
 * written: it is in no argument, no environment and no folder, and the kernel forgets it with the
 * last git that has it open, however this process ends.
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
