import { constants, inflateRawSync } from 'node:zlib';
import { FORMATS, looksAssigned } from './secret-formats.ts';

interface Leak {
  /** Never the secret itself. */
  readonly because: string;
  readonly isGuess: boolean;
}

/** Finds credentials of known formats, and the host's known secrets in any encoding. */
export function findSecrets(text: string, known: readonly string[]): Leak[] {
  const leaks: Leak[] = [];
  for (const [what, format] of Object.entries(FORMATS)) {
    if (format.test(text)) leaks.push({ because: `looks like ${what}`, isGuess: false });
  }
  const encoding = findEncoding(text, known);
  if (encoding !== undefined) {
    leaks.push({ because: `contains a known secret${encoding}`, isGuess: false });
  }
  if (leaks.length === 0 && looksAssigned(text)) {
    leaks.push({
      because: 'gives a random-looking value to a name that suggests a secret',
      isGuess: true,
    });
  }
  return leaks;
}

/** Shorter values occur everywhere. */
const SHORTEST = 8;
/** Decoding costs several times as much as reading. */
const MAX_DECODED = 8 * 1024 * 1024;

function findEncoding(text: string, known: readonly string[]): string | undefined {
  const secrets = known
    .filter((secret) => secret.length >= SHORTEST)
    .map((secret) => Buffer.from(secret, 'utf8').toString('latin1'));
  if (secrets.length === 0) return undefined;
  const holds = (where: string) => secrets.some((secret) => where.includes(secret));
  const holdsReversed = (where: string) =>
    secrets.some((secret) => where.includes([...secret].reverse().join('')));
  const joined = joinFragments(text);
  if (holds(text)) return '';
  if (holds(decompressed(Buffer.from(text, 'latin1')))) return ', compressed';
  if (holdsReversed(text) || holdsReversed(joined)) return ', reversed';
  if (secrets.some((secret) => joined.includes(joinFragments(secret)))) return ', in fragments';
  if (secrets.some((secret) => text.includes(encodeURIComponent(secret)))) return ', URL-encoded';
  return [text, joined]
    .map((where) => encodedIn(where.slice(0, MAX_DECODED), holds))
    .find((found) => found !== undefined);
}

/** Joins strings that span lines: removes quotes, line ends and the operators between them. */
function joinFragments(text: string): string {
  return text.replace(/["'`][\s+.,\\]{0,200}["'`]/g, '').replace(/[\s"'`\\]/g, '');
}

function encodedIn(text: string, holds: (where: string) => boolean): string | undefined {
  for (const [run] of text.matchAll(/[0-9a-fA-F]{16,}/g)) {
    for (const start of [0, 1]) {
      if (holds(Buffer.from(run.slice(start), 'hex').toString('latin1'))) return ', hex-encoded';
    }
  }
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{11,}={0,2}/g)) {
    for (const start of [0, 1, 2, 3]) {
      const bytes = Buffer.from(run.slice(start), 'base64');
      if (holds(bytes.toString('latin1'))) return ', base64-encoded';
      if (holds(decompressed(bytes))) return ', compressed';
    }
  }
  // After joining, other text may stand directly in front.
  for (const [run] of text.matchAll(/(?:H4sI|eJ|eN|eA|eF)[A-Za-z0-9+/_-]{8,}/g)) {
    if (holds(decompressed(Buffer.from(run, 'base64')))) return ', compressed';
  }
  return undefined;
}

/** The decompressed text, whatever follows it; empty when the bytes are not compressed. */
function decompressed(bytes: Buffer): string {
  const start = startOfStream(bytes);
  if (start === undefined) return '';
  try {
    const limit = { maxOutputLength: 1024 * 1024, finishFlush: constants.Z_SYNC_FLUSH };
    return inflateRawSync(bytes.subarray(start), limit).toString('latin1');
  } catch (error) {
    if (error instanceof Error) return '';
    throw error;
  }
}

/** The offset after the gzip header, which may hold a file name, or after the zlib header. */
function startOfStream(bytes: Buffer): number | undefined {
  if (bytes[0] === 0x78 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0) return 2;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return undefined;
  return ((bytes[3] ?? 0) & 0x08) === 0 ? 10 : bytes.indexOf(0, 10) + 1;
}
