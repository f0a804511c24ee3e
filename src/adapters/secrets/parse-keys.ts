import type { EncryptionKey } from '../../ports/secrets-key.ts';
import { createEncryptionKey, KEY_BYTES } from './encryption-key.ts';

/** The keys in a text: one per line, 32 bytes in base64 or hex; `#` begins a comment. Undefined if a line is none. */
export function parseKeys(text: string): readonly EncryptionKey[] | undefined {
  const keys = keyLines(text).map(bytesOf);
  return keys.every((bytes) => bytes !== undefined) ? keys.map(createEncryptionKey) : undefined;
}

export function keyLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function bytesOf(line: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(line)) return Buffer.from(line, 'hex');
  const bytes = Buffer.from(line, 'base64');
  return /^[\w+/-]+=?$/.test(line) && bytes.length === KEY_BYTES ? bytes : undefined;
}
