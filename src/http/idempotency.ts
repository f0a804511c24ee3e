import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto';
import { actorOf, type Caller } from './caller.ts';
import { problem, type Refused } from './problem.ts';
import type { IdempotencyKey } from './request-context.ts';

interface KeyInput {
  readonly header: string | string[] | undefined;
  readonly authorization: string | undefined;
  readonly caller: Caller;
  readonly operation: string;
  readonly path: string;
  readonly body: Buffer;
}

/**
 * The identity of a repeated request: caller, token, operation and the client's key. A name can be
 * reused for someone else; a token cannot. Only a hash of all of these is stored, neither the token
 * nor the key.
 */
export function idempotencyKeyOf(input: KeyInput): IdempotencyKey | undefined | Refused {
  const { header, caller, operation, path, body } = input;
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[!-~]{1,200}$/.test(header)) {
    return problem(
      'bad_idempotency_key',
      'the Idempotency-Key must be 1 to 200 visible ASCII characters',
    );
  }
  const secret = `${input.authorization ?? ''}\n${path}\n${header}`;
  return {
    key: `${operation} ${hash('sha256', `${actorOf(caller)}\n${secret}`)}`,
    request: hash('sha256', body),
    secret,
  };
}

/** Encrypts an answer that contains a token, which only the requesting client can read again. */
export function seal(text: string, secret: string): string {
  const { key, nonce } = keysFrom(secret);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([cipher.getAuthTag(), sealed]).toString('base64');
}

export function unseal(sealed: string, secret: string): string {
  const { key, nonce } = keysFrom(secret);
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAuthTag(bytes.subarray(0, TAG));
  return decipher.update(bytes.subarray(TAG), undefined, 'utf8') + decipher.final('utf8');
}

const TAG = 16;

/** A secret seals only one answer, so the nonce can be derived from it too. */
function keysFrom(secret: string): { readonly key: Buffer; readonly nonce: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'guildhall sealed answer', 44));
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}
