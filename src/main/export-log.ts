import type { Reads, SealedEvent } from '../ports/store.ts';

const PIECE = 5_000;

/** The sealed log as lines of JSON, one event each, with its hashes and links. */
export async function* exportLog(reads: Pick<Reads, 'sealed'>): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const sealed = await reads.sealed(after, PIECE);
    const last = sealed.at(-1);
    if (!last) return;
    for (const event of sealed) yield `${JSON.stringify(event)}\n`;
    after = last.seq;
  }
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
