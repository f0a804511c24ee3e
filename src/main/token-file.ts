import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function tokenPath(folder: string): string {
  return join(folder, 'token');
}

/** The operator's token, created at the first start. Only the account that runs the hall can read it. */
export function operatorToken(folder: string): string {
  const path = tokenPath(folder);
  if (!existsSync(path)) {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  }
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  const token = readFileSync(path, 'utf8').trim();
  const fault = weaknessOf(token);
  if (fault !== undefined)
    throw new TokenRefused(`${path} ${fault}: remove it, and the next start creates a new one`);
  return token;
}

/** The token in the data folder is malformed or could be guessed. */
class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** The length of 16 random bytes; tokens created here have twice as many. */
const SHORTEST = 22;

/** What is wrong with an operator token; undefined when it is strong enough. */
export function weaknessOf(token: string): string | undefined {
  if (token === '') return 'is empty';
  if (token.length < SHORTEST) return `contains a token of fewer than ${SHORTEST} characters`;
  return /^[!-~]+$/.test(token) ? undefined : 'contains more than one word';
}
