import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { writeDurably } from '../adapters/files/write-durably.ts';
import type { Log } from '../ports/log.ts';
import { tokenPath } from './hall-file.ts';

/** The operator's token, created at the first start. Only the account that runs the hall can read it. */
export async function operatorToken(folder: string, log: Log): Promise<string> {
  const path = tokenPath(folder);
  const isCutOff = existsSync(path) && isBlank(readFileSync(path, 'utf8'));
  if (isCutOff || !existsSync(path)) {
    await writeDurably(path, `${randomBytes(32).toString('base64url')}\n`);
  }
  if (isCutOff) log.warn('token file was empty, created a new token', { file: path });
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  const token = readFileSync(path, 'utf8').trim();
  const fault = weaknessOf(token);
  if (fault !== undefined)
    throw new TokenRefused(`${path} ${fault}: remove it, and the next start creates a new one`);
  return token;
}

/** True for what a power cut leaves of a token that never reached the disk; some filesystems leave zeros. */
export function isBlank(text: string): boolean {
  return /^[\0\s]*$/.test(text);
}

/** The token in the data folder is malformed or could be guessed. */
class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** The length of 16 random bytes; tokens created here have twice as many. */
const SHORTEST = 22;

/** What is wrong with an operator token; undefined when it is strong enough. */
export function weaknessOf(token: string): string | undefined {
  if (token.length < SHORTEST) return `contains a token of fewer than ${SHORTEST} characters`;
  return /^[!-~]+$/.test(token) ? undefined : 'contains more than one word';
}
