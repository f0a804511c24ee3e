import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { base64Cores } from '../../support/canary-encodings.ts';

/** A unique value: wherever it is found, it leaked. */
export function canary(): string {
  return `canary-${randomBytes(12).toString('hex')}`;
}

/** The ways in which a puppet writes down what it found. */
export const WAYS = ['raw', 'base64', 'hex', 'reversed', 'gzip'] as const;

/** In which of those ways a secret is in a text. */
export function waysIn(text: string, secret: string): (typeof WAYS)[number][] {
  const bytes = Buffer.from(secret);
  const finds = {
    raw: () => text.includes(secret),
    base64: () => base64Cores(secret).some((core) => text.includes(core)),
    hex: () => text.toLowerCase().includes(bytes.toString('hex')),
    reversed: () => text.includes([...secret].reverse().join('')),
    gzip: () => unpacked(text).some((each) => each.includes(secret)),
  };
  return WAYS.filter((way) => finds[way]());
}

const GZIP = gzipSync('').subarray(0, 3).toString('base64').slice(0, 4);

function unpacked(text: string): string[] {
  const packed = text.match(new RegExp(`${GZIP}[A-Za-z0-9+/]+={0,2}`, 'g')) ?? [];
  return packed.flatMap((each) => {
    try {
      return [gunzipSync(Buffer.from(each, 'base64'), { finishFlush: 2 }).toString()];
    } catch {
      return [];
    }
  });
}
