import type { Row } from '../../domain/row.ts';

/** The small nouns that share one table, in loading order. */
export const SETTINGS = [
  'hall',
  'project',
  'forge',
  'issue',
  'look',
  'cursor',
  'reply',
  'source',
  'item',
  'tally',
  'base_checks',
  'type',
  'persona',
  'instance',
  'invoker',
  'token',
  'secret',
  'rule',
  'approval',
] as const;

/** The columns in the order of `TABLES.settings`. */
export type SettingsCells = readonly [kind: string, key: string, body: string];

export type SettingsRow = Extract<Row, { readonly table: (typeof SETTINGS)[number] }>;

export function isSettingsRow(row: Row): row is SettingsRow {
  return (SETTINGS as readonly string[]).includes(row.table);
}

/** The cells of a small noun; a removed one has no body. */
export function settingsCells({
  table,
  key,
  row,
}: SettingsRow): readonly [string, string, string | null] {
  return [table, key, row === null ? null : JSON.stringify(row)];
}

/** In loading order: a database that sorts by locale would return another. */
export function settingsRows(cells: readonly SettingsCells[]): readonly SettingsRow[] {
  return [...cells]
    .sort(inLoadingOrder)
    .map(([table, key, body]) => ({ table, key, row: JSON.parse(body) }) as SettingsRow);
}

function inLoadingOrder([kind, key]: SettingsCells, [otherKind, otherKey]: SettingsCells): number {
  const kinds: readonly string[] = SETTINGS;
  if (kind !== otherKind) return kinds.indexOf(kind) - kinds.indexOf(otherKind);
  return key < otherKey ? -1 : 1;
}
