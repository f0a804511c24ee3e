import { blotted, HIDDEN, spellingsOf } from '../domain/redaction.ts';

export type Blot = <T>(words: T) => T;

/**
 * Takes secrets out of what agents say before it is kept or shown: those the hall itself knows, letter
 * by letter, and others by their form.
 */
export function createBlot(secrets: () => Iterable<string>): Blot {
  function safe(text: string): string {
    let known = text;
    for (const secret of spellingsOf(secrets())) known = known.replaceAll(secret, HIDDEN);
    return blotted(known);
  }

  function walk(value: unknown): unknown {
    if (typeof value === 'string') return safe(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, walk(below)]));
  }

  return <T>(words: T) => walk(words) as T;
}
