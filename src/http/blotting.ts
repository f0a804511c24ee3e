import { REDACTED, redactText, secretSpellings } from '../domain/redaction.ts';

export type Redactor = <T>(words: T) => T;

/**
 * Takes secrets out of what agents say before it is kept or shown: those the hall itself knows, letter
 * by letter, and others by their form.
 */
export function createRedactor(secrets: () => Iterable<string>): Redactor {
  return <T>(words: T) => {
    const spellings = secretSpellings(secrets());
    return everyText(words, (text) => {
      let known = text;
      for (const secret of spellings) known = known.replaceAll(secret, REDACTED);
      return redactText(known);
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
