import { withTypeDefaults } from '../../domain/pool.ts';
import { withProjectDefaults } from '../../domain/project.ts';
import type { Row } from '../../domain/row.ts';
import { SETTINGS } from './settings-columns.ts';
import { storedTask } from './task-columns.ts';
import { storedThread } from './thread-columns.ts';

/** One line of a dump: a table's value under a key, in canonical form. */
export type DumpLine = readonly [table: string, key: string, value: string];

/** Tables in the order of dumps and of loading. Notes come last, as nothing depends on them. */
const ROW_TABLES = [
  ...SETTINGS,
  'thread',
  'task',
  'worker',
  'run',
  'note',
] as const satisfies readonly Row['table'][];

/** Table by table; numbers in numeric order and words by their code units. */
export function inDumpOrder([table, key]: DumpLine, [otherTable, otherKey]: DumpLine): number {
  const tables: readonly string[] = ROW_TABLES;
  if (table !== otherTable) return tables.indexOf(table) - tables.indexOf(otherTable);
  if (key === otherKey) return 0;
  const isNumbered = NUMBERED.includes(table);
  return (isNumbered ? Number(key) < Number(otherKey) : key < otherKey) ? -1 : 1;
}

const NUMBERED: readonly string[] = ['thread', 'task', 'worker', 'run', 'note'];

/** Dumps tasks and threads with their texts, as they are stored. */
export function dumpLine(
  row: Row,
  texts: { readonly title: string; readonly body?: string },
): DumpLine {
  return [row.table, String(row.key), canonical(dumped(row, texts))];
}

function dumped(row: Row, { title, body }: { readonly title: string; readonly body?: string }) {
  if (row.table === 'task') return { ...storedTask(row.row), title, body };
  if (row.table === 'thread') return { ...storedThread(row.row), title };
  // A row from before a setting existed equals one with its default, which the fold gives today.
  if (row.table === 'project') return row.row && withProjectDefaults(row.row);
  if (row.table === 'type') return row.row && withTypeDefaults(row.row);
  return row.row;
}

/** JSON with sorted object keys, so that equal values give equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? inOrder(inner) : inner));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inOrder(value: object): object {
  const entries = Object.entries(value);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
