import type { OptionSpec } from './command.ts';
import type { Output } from './output.ts';
import type { ParsedInput } from './parsed-input.ts';

const USUAL = 50;
const LONGEST = 200;

/** Options of every command that shows a list which may be long. */
export const PAGE_OPTIONS: readonly OptionSpec[] = [
  { flags: '-n, --limit <count>', about: `how many at most (default: ${USUAL})` },
  { flags: '-a, --all', about: 'all there are' },
];

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** What to go on after; null when these are all. */
  readonly next: string | null;
}

/** Asks for one page after the other, until there are as many rows as were wanted or no more. */
export async function readPages<Row>(
  input: ParsedInput,
  ask: (page: { limit: number; after?: string }) => Promise<ListPage<Row>>,
): Promise<ListPage<Row>> {
  const most = input.flag('all') ? Number.POSITIVE_INFINITY : (input.number('limit') ?? USUAL);
  const found: Row[] = [];
  let next: string | null = null;
  do {
    const limit = Math.min(LONGEST, most - found.length);
    const page: ListPage<Row> = await ask({ limit, ...(next !== null && { after: next }) });
    found.push(...page.rows);
    next = page.next;
  } while (next !== null && found.length < most);
  return { rows: found, next };
}

/** A list that was cut says so; a program that asked for JSON sees it by `next`. */
export function reportPartialList(
  { rows, next }: { readonly rows: readonly unknown[]; readonly next: string | number | null },
  out: Output,
  wayOn: string,
): void {
  if (next === null || out.json) return;
  out.say(out.colours.dim(`${rows.length} shown, and there are more: ${wayOn}`));
}

export const MORE_HINT = '--limit takes another number, --all shows all';
