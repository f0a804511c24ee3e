import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function tokenPath(folder: string): string {
  return join(folder, 'token');
}

/** The token of the account that runs the hall, made at the first start. Nobody else can read it. */
export function ownToken(folder: string): string {
  const path = tokenPath(folder);
  if (!existsSync(path)) {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  }
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  return readFileSync(path, 'utf8').trim();
}
