import type { OptionSpec } from './command.ts';
import type { Output } from './output.ts';
import type { ParsedInput } from './parsed-input.ts';

const DEFAULT_LIMIT = 50;
const LARGEST_PAGE = 200;

/** Options of every command that shows a list which may be long. */
export const PAGE_OPTIONS: readonly OptionSpec[] = [
  { flags: '-n, --limit <count>', about: `maximum number to show (default: ${DEFAULT_LIMIT})` },
  { flags: '-a, --all', about: 'show all' },
];

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null when there is none. */
  readonly next: string | null;
}

/** Requests pages until there are enough rows or no more pages. */
export async function readPages<Row>(
  input: ParsedInput,
  request: (page: { limit: number; after?: string }) => Promise<ListPage<Row>>,
): Promise<ListPage<Row>> {
  const wanted = input.flag('all')
    ? Number.POSITIVE_INFINITY
    : (input.number('limit') ?? DEFAULT_LIMIT);
  const found: Row[] = [];
  let next: string | null = null;
  do {
    const limit = Math.min(LARGEST_PAGE, wanted - found.length);
    const page: ListPage<Row> = await request({ limit, ...(next !== null && { after: next }) });
    found.push(...page.rows);
    next = page.next;
  } while (next !== null && found.length < wanted);
  return { rows: found, next };
}

/** Tells a person that the list is not complete; with --json, `next` shows it. */
export function reportPartialList(
  { rows, next }: { readonly rows: readonly unknown[]; readonly next: string | number | null },
  out: Output,
  hint: string,
): void {
  if (next === null || out.json) return;
  out.say(out.colours.dim(`${rows.length} shown, there are more: ${hint}`));
}

export const MORE_HINT = 'use --limit or --all';
