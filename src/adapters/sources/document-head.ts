import { plainText } from './markdown.ts';

/** What the head of a file says about it, by lower-case key. */
export interface Head {
  readonly entries: ReadonlyMap<string, Entry>;
  /** The first line after the front matter, counted from 0. */
  readonly bodyAt: number;
  /** The line where front matter begins that never ends; null where all is well. */
  readonly unclosed: number | null;
}

interface Entry {
  readonly value: string;
  readonly list: readonly string[];
  readonly line: number;
}

const MAX_HEAD_LINES = 200;

/**
 * Front matter, line by line. It is written by people and often no YAML: a Markdown link as a value is none.
 */
export function parseFrontMatter(lines: readonly string[]): Head {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1 || lines[first]?.trim() !== '---') {
    return { entries: new Map(), bodyAt: 0, unclosed: null };
  }
  const end = lines.findIndex(
    (line, at) => at > first && at <= first + MAX_HEAD_LINES && /^(?:---|\.\.\.)\s*$/.test(line),
  );
  if (end === -1) {
    // A rule at the top of a page without front matter, unless something follows it that looks like an entry.
    const isHead = entryIn(lines[first + 1] ?? '') !== null;
    return { entries: new Map(), bodyAt: first + 1, unclosed: isHead ? first + 1 : null };
  }
  return { entries: entriesBetween(lines, first + 1, end), bodyAt: end + 1, unclosed: null };
}

function entriesBetween(lines: readonly string[], from: number, to: number): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let key: string | null = null;
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? '';
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    const found = item === undefined && !/^\s/.test(line) ? entryIn(line) : null;
    if (found) {
      key = found.key;
      const value = unquoted(found.value);
      entries.set(key, { value, list: listIn(found.value), line: at + 1 });
    } else if (item !== undefined && key !== null) {
      const before = entries.get(key);
      if (before) entries.set(key, { ...before, list: [...before.list, unquoted(item)] });
    }
  }
  return entries;
}

function entryIn(line: string): { readonly key: string; readonly value: string } | null {
  const colon = line.indexOf(':');
  const key = line.slice(0, colon).trim().toLowerCase();
  if (colon < 1 || !/^[\p{L}\p{N} _-]{1,60}$/u.test(key)) return null;
  return { key: key.replaceAll(/[ -]/g, '_'), value: line.slice(colon + 1) };
}

/** Without quotes and without a comment after them. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  const [quote] = trimmed;
  const end = quote === '"' || quote === "'" ? trimmed.indexOf(quote, 1) : -1;
  if (end > 0) return trimmed.slice(1, end);
  const comment = trimmed.indexOf(' #');
  return (comment === -1 ? trimmed : trimmed.slice(0, comment)).trim();
}

/** `[a, b]`, or one value. A Markdown link is one value. */
function listIn(text: string): readonly string[] {
  const value = text.trim();
  if (value === '') return [];
  const isList = value.startsWith('[') && value.endsWith(']');
  const parts = isList ? value.slice(1, -1).split(',') : [value];
  return parts.map(unquoted).filter((part) => part !== '');
}

/** `**Key**: value`, `- **Key:** value`, `Key: value` or `| Key | value |`: what people write below a title. */
export function labelledValues(
  line: string,
): readonly { readonly key: string; readonly value: string }[] {
  if (line.length > MAX_LINE) return [];
  const text = line.trim();
  if (text.startsWith('|')) {
    const [key = '', ...values] = text.slice(1).split('|');
    const value =
      values
        .join('|')
        .replace(/\|\s*$/, '')
        .split('|')[0] ?? '';
    return key.trim() === '' ? [] : [{ key: keyOf(key), value: value.trim() }];
  }
  return text
    .replace(/^[-*+]\s+(?=\*\*|__)/, '')
    .split(/\s\|\s/)
    .flatMap((part) => {
      const colon = part.indexOf(':');
      const isShort = colon > 0 && colon <= 60;
      return isShort ? [{ key: keyOf(part.slice(0, colon)), value: afterColon(part, colon) }] : [];
    });
}

/** Longer lines are not taken apart. */
export const MAX_LINE = 10_000;

function keyOf(text: string): string {
  return plainText(text).toLowerCase().replaceAll(/[ -]/g, '_');
}

/** `**Key:** value` has its colon inside the emphasis. */
function afterColon(part: string, colon: number): string {
  return part
    .slice(colon + 1)
    .replace(/^\s*(?:\*\*|__)/, '')
    .trim();
}
