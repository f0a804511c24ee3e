import type { Reads, SealedEvent, SecretValue } from '../ports/store.ts';

const PIECE = 5_000;

/**
 * The sealed log as lines of JSON, one event each, with its hashes and links. The stored secrets follow, encrypted:
 * no event has them.
 */
export async function* exportLog(reads: Pick<Reads, 'sealed' | 'secrets'>): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const sealed = await reads.sealed(after, PIECE);
    const last = sealed.at(-1);
    if (!last) break;
    for (const event of sealed) yield `${JSON.stringify(event)}\n`;
    after = last.seq;
  }
  for (const secret of await reads.secrets()) yield `${JSON.stringify({ secret })}\n`;
}

/** Parses a stored secret from a line of an export; undefined when the line is none. */
export function secretFrom(line: string): SecretValue | undefined {
  const { secret } = (parsed(line) ?? {}) as { readonly secret?: Record<string, unknown> };
  const { name, sealed, previous } = secret ?? {};
  const isWhole =
    typeof name === 'string' &&
    typeof sealed === 'string' &&
    (typeof previous === 'string' || previous === null);
  return isWhole ? { name, sealed, previous } : undefined;
}

/** Parses an event from a line of an export; undefined when the line is not one. */
export function sealedFrom(line: string): SealedEvent | undefined {
  const value = parsed(line);
  if (typeof value !== 'object' || value === null) return undefined;
  const { seq, at, actor, cause, type, body, hash, link } = value as Record<string, unknown>;
  const isWhole =
    typeof seq === 'number' &&
    typeof at === 'number' &&
    typeof actor === 'string' &&
    typeof cause === 'string' &&
    typeof type === 'string' &&
    typeof hash === 'string' &&
    (typeof body === 'string' || body === null) &&
    (typeof link === 'string' || link === null);
  return isWhole ? { seq, at, actor, cause, type, body, hash, link } : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
