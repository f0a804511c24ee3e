import { hash } from 'node:crypto';

/** The forms in which a secret, or what identifies it, can be written down. */
const ENCODINGS: Readonly<Record<string, (secret: string) => readonly Buffer[]>> = {
  raw: (secret) => [Buffer.from(secret)],
  base64: (secret) => base64Cores(secret).map((core) => Buffer.from(core)),
  base64url: (secret) =>
    base64Cores(secret).map((core) => Buffer.from(core.replaceAll('+', '-').replaceAll('/', '_'))),
  hex: (secret) => {
    const hex = Buffer.from(secret).toString('hex');
    return [hex, hex.toUpperCase()].map((text) => Buffer.from(text));
  },
  reversed: (secret) => [Buffer.from([...secret].reverse().join(''))],
  'url-encoded': (secret) => [
    Buffer.from(encodeURIComponent(secret)),
    Buffer.from(bytesOf(secret, (byte) => `%${byte.toUpperCase()}`)),
  ],
  escaped: (secret) => [
    Buffer.from(JSON.stringify(secret).slice(1, -1)),
    Buffer.from(bytesOf(secret, (byte) => `\\u00${byte}`)),
  ],
  'UTF-16': (secret) => [Buffer.from(secret, 'utf16le'), Buffer.from(secret, 'utf16le').swap16()],
  hashed: (secret) =>
    ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) => [
      hash(algorithm, secret, 'buffer'),
      ...(['hex', 'base64', 'base64url'] as const).map((form) =>
        Buffer.from(hash(algorithm, secret, form)),
      ),
    ]),
};

export const ENCODING_NAMES = Object.keys(ENCODINGS);

/** The encodings in which a secret is in these bytes. */
export function encodingsIn(bytes: Buffer, secret: string): readonly string[] {
  return Object.entries(ENCODINGS).flatMap(([name, encode]) =>
    encode(secret).some((form) => bytes.includes(form)) ? [name] : [],
  );
}

/** Whatever stands before it shifts the letters of base64, and its ends mix with its neighbours. */
export function base64Cores(secret: string): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const letters = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]).toString('base64');
    return letters.replace(/=+$/, '').slice(shift === 0 ? 0 : 4, -2);
  });
}

function bytesOf(secret: string, spell: (byte: string) => string): string {
  return [...Buffer.from(secret)].map((byte) => spell(byte.toString(16).padStart(2, '0'))).join('');
}
