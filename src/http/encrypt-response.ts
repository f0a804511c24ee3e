import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

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
