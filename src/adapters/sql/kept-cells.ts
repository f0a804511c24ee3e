import type { Row } from '../../domain/row.ts';

/** The small nouns that share one table, in the order in which they are loaded. */
export const KEPT = [
  'hall',
  'project',
  'tally',
  'type',
  'instance',
  'invoker',
  'token',
  'rule',
  'approval',
] as const;

/** The columns in the order of `TABLES.kept`. */
export type KeptCells = readonly [kind: string, key: string, body: string];

export type KeptRow = Extract<Row, { readonly table: (typeof KEPT)[number] }>;

export function isKept(row: Row): row is KeptRow {
  return (KEPT as readonly string[]).includes(row.table);
}

/** The cells of a small noun; one that is gone has no body. */
export function keptCells({ table, key, row }: KeptRow): readonly [string, string, string | null] {
  return [table, key, row === null ? null : JSON.stringify(row)];
}

/** In the order of loading: a database that sorts words by language would give another. */
export function keptRows(cells: readonly KeptCells[]): readonly KeptRow[] {
  return [...cells]
    .sort(inLoadingOrder)
    .map(([table, key, body]) => ({ table, key, row: JSON.parse(body) }) as KeptRow);
}

function inLoadingOrder([kind, key]: KeptCells, [otherKind, otherKey]: KeptCells): number {
  const kinds: readonly string[] = KEPT;
  if (kind !== otherKind) return kinds.indexOf(kind) - kinds.indexOf(otherKind);
  return key < otherKey ? -1 : 1;
}
