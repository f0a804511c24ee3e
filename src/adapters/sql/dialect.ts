import { POSTGRES_SEARCH, type SearchDialect, SQLITE_SEARCH } from './search-dialect.ts';

/** What a column holds. The dialect decides how to store it. */
export type Kind = 'number' | 'flag' | 'word' | 'text';

export type Cell = string | number | null;
/** The cells of a row, possibly followed by those of a joined row. */
export type Leading<Cells extends readonly Cell[]> = readonly [...Cells, ...Cell[]];
/** The value of a placeholder; a list only where the statement uses `among`. */
export type Value = Cell | readonly Cell[];

/** Runs one statement on one snapshot and returns its rows as cells, in the order selected. */
export type RunQuery = <Cells>(sql: string, values: readonly Value[]) => Promise<readonly Cells[]>;

/** Where the databases differ. Everything else is the same text in both. */
export interface Dialect {
  readonly kinds: Readonly<Record<Kind, string>>;
  /** After the closing bracket of a table with a numeric key, and of any other. */
  readonly afterNumbered: string;
  readonly afterKeyed: string;
  /** Creates the lookup of a task's events, named `event_of_task`. */
  readonly makeEventsOfTask: string;
  /** The source of that lookup, with columns `task` and `seq`. */
  readonly eventsOfTask: string;
  /** The index of a table's key is named after the table. */
  readonly renameTable: (from: string, to: string) => readonly string[];
  /** `create` creates it under its present name. */
  readonly renameIndex: (from: string, to: string, create: string) => readonly string[];
  /** After a table's name: the index to use, where the planner must not choose another. */
  readonly along: (index: string) => string;
  /** True when the column is in the list bound to the next placeholder. */
  readonly among: (column: string) => string;
  readonly list: (values: readonly Cell[]) => Value;
  /** Several columns of a row as one JSON array. */
  readonly together: (columns: readonly string[]) => string;
  /** All numbers of a column, in any order, separated by commas. */
  readonly joined: (column: string) => string;
  readonly search: SearchDialect;
  /** Converts `?` placeholders to the driver's form. */
  readonly placed: (sql: string) => string;
}

/** Instead of an index: the rows in key order. */
export const TABLE_ITSELF = '';

/**
 * STRICT tables refuse a value of the wrong type instead of storing it. Tables with a text key are
 * WITHOUT ROWID: one tree per table saves one page in every commit. The events of a task are found
 * through a table that is written later: an index would be written with every event, in another place
 * for every task.
 */
export const SQLITE: Dialect = {
  kinds: { number: 'INTEGER', flag: 'INTEGER', word: 'TEXT', text: 'TEXT' },
  afterNumbered: ' STRICT',
  afterKeyed: ' STRICT, WITHOUT ROWID',
  makeEventsOfTask: `CREATE TABLE event_of_task (
  task INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (task, seq)
) STRICT, WITHOUT ROWID`,
  eventsOfTask: 'event_of_task',
  renameTable: (from, to) => [`ALTER TABLE ${from} RENAME TO ${to}`],
  renameIndex: (from, _, create) => [`DROP INDEX ${from}`, create],
  along: (index) => (index === TABLE_ITSELF ? ' NOT INDEXED' : ` INDEXED BY ${index}`),
  among: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  list: (values) => JSON.stringify(values),
  together: (columns) => `json_array(${columns.join(', ')})`,
  joined: (column) => `group_concat(${column})`,
  search: SQLITE_SEARCH,
  placed: (sql) => sql,
};

/** Words sort by their bytes, as in SQLite. */
export const POSTGRES: Dialect = {
  kinds: { number: 'bigint', flag: 'smallint', word: 'text COLLATE "C"', text: 'text' },
  afterNumbered: '',
  afterKeyed: '',
  makeEventsOfTask: 'CREATE INDEX event_of_task ON event (task, seq) WHERE task IS NOT NULL',
  eventsOfTask: 'event',
  renameTable: (from, to) => [
    `ALTER TABLE ${from} RENAME TO ${to}`,
    `ALTER INDEX ${from}_pkey RENAME TO ${to}_pkey`,
  ],
  renameIndex: (from, to) => [`ALTER INDEX ${from} RENAME TO ${to}`],
  along: () => '',
  among: (column) => `${column} = ANY(?)`,
  list: (values) => values,
  together: jsonArray,
  joined: (column) => `string_agg(${column}::text, ',')`,
  search: POSTGRES_SEARCH,
  placed: numbered,
};

/** The output of `json_build_array` in half the time (measured): a million rows are loaded through this. */
function jsonArray(columns: readonly string[]): string {
  const cells = columns.map((column) => `coalesce(to_json(${column})::text, 'null')`);
  return `'[' || ${cells.join(" || ',' || ")} || ']'`;
}

/** `?` becomes `$1`, `$2` and so on. Our statements have no question mark inside a literal. */
function numbered(sql: string): string {
  let n = 0;
  return sql.replaceAll('?', () => {
    n += 1;
    return `$${n}`;
  });
}
