import { blotted, HIDDEN, spellingsOf } from '../domain/redaction.ts';

export type Blot = <T>(words: T) => T;

/**
 * Takes secrets out of what agents say before it is kept or shown: those the hall itself knows, letter
 * by letter, and others by their form.
 */
export function createBlot(secrets: () => Iterable<string>): Blot {
  return <T>(words: T) => {
    const spellings = spellingsOf(secrets());
    return everyText(words, (text) => {
      let known = text;
      for (const secret of spellings) known = known.replaceAll(secret, HIDDEN);
      return blotted(known);
    }) as T;
  };
}

function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => everyText(each, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, below]) => [key, everyText(below, change)]));
}
