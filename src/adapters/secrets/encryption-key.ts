import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../../ports/secrets-key.ts';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = '1';

/**
 * Envelope encryption: each value is encrypted with a data key of its own, and that key with this one. A text
 * that was sealed names its key, so values of several keys can be stored beside each other.
 */
export function createEncryptionKey(bytes: Buffer): EncryptionKey {
  const derived = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', bytes, '', `guildhall stored secrets ${purpose}`, length));
  const id = derived('id', 8).toString('hex');
  const wrapping = derived('wrapping', KEY_BYTES);
  const digesting = derived('digest', KEY_BYTES);
  return {
    id,
    seal(name, value) {
      const dataKey = randomBytes(KEY_BYTES);
      const wrapped = encrypt(wrapping, dataKey, `key of ${name}`);
      const sealed = encrypt(dataKey, Buffer.from(value, 'utf8'), `value of ${name}`);
      return [FORMAT, id, wrapped.toString('base64'), sealed.toString('base64')].join('.');
    },
    open(name, text) {
      const [format, keyId, wrapped = '', sealed = '', ...more] = text.split('.');
      if (format !== FORMAT || keyId !== id || more.length > 0) return undefined;
      const dataKey = decrypt(wrapping, Buffer.from(wrapped, 'base64'), `key of ${name}`);
      const value = dataKey && decrypt(dataKey, Buffer.from(sealed, 'base64'), `value of ${name}`);
      return value?.toString('utf8');
    },
    digest: (text) => createHmac('sha256', digesting).update(text).digest('hex'),
  };
}

/** The name is authenticated, so that a sealed text is worthless under another one. */
function encrypt(key: Buffer, plain: Buffer, about: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, bytes: Buffer, about: string): Buffer | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    // Node reports a wrong tag only by throwing.
    return undefined;
  }
}
