import { createHash } from 'node:crypto';
import { SIZES, type Size } from '../../domain/size.ts';
import type { SourceItem } from '../../domain/sources/item.ts';

const MAX_TITLE = 300;
const MAX_BODY = 100_000;

/** An item with its hash. A box that is ticked, a status and white space change nothing about the work. */
export function createItem(
  item: Omit<SourceItem, 'hash'> & { readonly hashedBody?: string },
): SourceItem {
  const { hashedBody = item.body, ...facts } = item;
  const title = cut(item.title.replace(/\p{Cc}/gu, ' ').trim(), MAX_TITLE);
  const body = cut(item.body.replaceAll('\0', ''), MAX_BODY).toWellFormed();
  const text = hashedBody
    .split('\n')
    .filter((line) => !/^\W{0,6}(?:status|last[ _]updated|updated)\W{0,4}:/i.test(line))
    .map((line) => line.replace(/\[[xX]\]/g, '[ ]').trimEnd())
    .join('\n')
    .trim();
  const parts = JSON.stringify([title, text, item.size, item.dependsOn]);
  const hash = createHash('sha256').update(parts).digest('hex').slice(0, 16);
  return { ...facts, title: title.toWellFormed(), body, hash };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

const WORDS: Readonly<Record<string, Size>> = {
  tiny: 'XS',
  trivial: 'XS',
  small: 'S',
  low: 'S',
  medium: 'M',
  moderate: 'M',
  large: 'L',
  high: 'L',
  'extra-large': 'XL',
};

/** The size that a text begins with: `M`, `M (2 hours)`, `Medium`. Hours alone are no size. */
export function sizeIn(text: string): Size | null {
  const [word = ''] = text.trim().split(/[\s(,;/]/, 1);
  const letters = SIZES.find((size) => size === word.toUpperCase());
  return letters ?? WORDS[word.toLowerCase()] ?? null;
}
