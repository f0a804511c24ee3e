import type { Dialect, Kind } from './dialect.ts';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly optional: boolean;
}

export interface TableShape {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  readonly indexes: readonly Index[];
}

interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  /** Only rows that match are in it. */
  readonly where?: string;
}

export type TableName =
  | 'event'
  | 'task'
  | 'task_text'
  | 'thread'
  | 'run'
  | 'worker'
  | 'note'
  | 'settings'
  | 'heartbeat'
  | 'idempotency_key'
  | 'run_log'
  | 'tool_decision'
  | 'secret_value'
  | 'meta';

const number = (name: string): Column => ({ name, kind: 'number', optional: false });
const flag = (name: string): Column => ({ name, kind: 'flag', optional: false });
const word = (name: string): Column => ({ name, kind: 'word', optional: false });
const text = (name: string): Column => ({ name, kind: 'text', optional: false });
const maybe = (column: Column): Column => ({ ...column, optional: true });

/** Closed states that people search for: so few tasks have them that an index costs nothing. */
export const UNSUCCESSFUL = "state IN ('failed', 'rejected', 'cancelled')";

/**
 * Every table, once. Values are bound and read in column order.
 *
 * `facts` is JSON that holds only what is unusual, and is null for a plain waiting task or thread: a
 * million of them are loaded at start, and parsing a million texts alone takes a second.
 */
export const TABLES: Readonly<Record<TableName, TableShape>> = {
  event: {
    name: 'event',
    columns: [
      number('seq'),
      number('at'),
      word('actor'),
      word('cause'),
      word('type'),
      maybe(word('project')),
      maybe(number('task')),
      maybe(text('body')),
      text('hash'),
      maybe(text('link')),
    ],
    key: ['seq'],
    indexes: [],
  },
  task: {
    name: 'task',
    columns: [
      number('id'),
      number('thread'),
      word('project'),
      word('state'),
      number('since'),
      word('skill'),
      word('type'),
      maybe(word('instance')),
      word('agent'),
      word('actor'),
      number('posted_at'),
      flag('closed'),
      text('title'),
      maybe(text('facts')),
    ],
    key: ['id'],
    indexes: [
      { name: 'task_of_project', columns: ['project', 'id'] },
      { name: 'task_of_thread', columns: ['thread'] },
      { name: 'task_open', columns: ['id'], where: 'closed = 0' },
      { name: 'task_unsuccessful', columns: ['state', 'id'], where: UNSUCCESSFUL },
    ],
  },
  /** Only for tasks that have a body: it is read one task at a time. */
  task_text: { name: 'task_text', columns: [number('id'), text('body')], key: ['id'], indexes: [] },
  thread: {
    name: 'thread',
    columns: [
      number('id'),
      word('project'),
      word('state'),
      maybe(number('parent')),
      word('size'),
      maybe(word('agent')),
      number('opened_at'),
      text('title'),
      maybe(text('facts')),
    ],
    key: ['id'],
    indexes: [
      { name: 'thread_of_project', columns: ['project', 'id'] },
      { name: 'thread_open', columns: ['id'], where: "state = 'open'" },
      { name: 'thread_of_parent', columns: ['parent'], where: 'parent IS NOT NULL' },
    ],
  },
  run: {
    name: 'run',
    columns: [
      number('id'),
      number('task'),
      number('worker'),
      word('project'),
      flag('ended'),
      text('facts'),
    ],
    key: ['id'],
    /** A task's runs are found through its events: a run has the number of the event that claimed it. */
    indexes: [{ name: 'run_open', columns: ['task'], where: 'ended = 0' }],
  },
  worker: {
    name: 'worker',
    columns: [number('id'), flag('deregistered'), text('facts')],
    key: ['id'],
    indexes: [{ name: 'worker_active', columns: ['id'], where: 'deregistered = 0' }],
  },
  note: {
    name: 'note',
    columns: [number('seq'), number('thread'), text('facts')],
    key: ['seq'],
    indexes: [{ name: 'note_of_thread', columns: ['thread'] }],
  },
  /** The few hundred rows of operators' settings, together so that they share pages. */
  settings: {
    name: 'settings',
    columns: [word('kind'), word('key'), text('body')],
    key: ['kind', 'key'],
    indexes: [],
  },
  heartbeat: {
    name: 'heartbeat',
    columns: [number('worker'), number('last_seen'), number('worked')],
    key: ['worker'],
    indexes: [],
  },
  idempotency_key: {
    name: 'idempotency_key',
    columns: [word('key'), text('request'), number('status'), text('body'), number('at')],
    key: ['key'],
    indexes: [{ name: 'idempotency_key_by_age', columns: ['at'] }],
  },
  run_log: {
    name: 'run_log',
    columns: [number('run'), number('n'), number('at'), text('text')],
    key: ['run', 'n'],
    indexes: [],
  },
  /** Tool decisions. The key begins with the time. */
  tool_decision: {
    name: 'tool_decision',
    columns: [
      word('id'),
      number('at'),
      number('run'),
      number('task'),
      word('project'),
      word('verdict'),
      word('decided_by'),
      text('facts'),
    ],
    key: ['id'],
    indexes: [
      { name: 'tool_decision_of_project', columns: ['project', 'id'] },
      { name: 'tool_decision_of_run', columns: ['run', 'id'] },
      { name: 'tool_decision_by', columns: ['decided_by', 'verdict', 'id'] },
    ],
  },
  /** Encrypted. A table of its own, because it is not folded from the events. */
  secret_value: {
    name: 'secret_value',
    columns: [word('name'), text('sealed'), maybe(text('previous'))],
    key: ['name'],
    indexes: [],
  },
  meta: { name: 'meta', columns: [word('key'), text('value')], key: ['key'], indexes: [] },
};

/** The statements that create all tables and indexes, in order. */
export function tableStatements(dialect: Dialect): readonly string[] {
  const tables = Object.values(TABLES).flatMap((table) => statementsFor(dialect, table));
  return [...tables, dialect.makeEventsOfTask, ...dialect.search.create];
}

/** One table with its indexes. */
export function statementsFor(dialect: Dialect, table: TableShape): readonly string[] {
  return [createTable(dialect, table), ...table.indexes.map((index) => createIndex(table, index))];
}

function createTable(dialect: Dialect, { name, columns, key }: TableShape): string {
  const parts = columns.map((column) => `  ${columnText(dialect, column)}`);
  const after = isNumbered({ columns, key }) ? dialect.afterNumbered : dialect.afterKeyed;
  return `CREATE TABLE ${name} (\n${parts.join(',\n')},\n  PRIMARY KEY (${key.join(', ')})\n)${after}`;
}

function isNumbered({ columns, key }: Pick<TableShape, 'columns' | 'key'>): boolean {
  const [first, ...others] = key;
  return others.length === 0 && columns.find(({ name }) => name === first)?.kind === 'number';
}

function columnText(dialect: Dialect, { name, kind, optional }: Column): string {
  return `${name} ${dialect.kinds[kind]}${optional ? '' : ' NOT NULL'}`;
}

export function createIndex(table: TableShape, { name, columns, where }: Index): string {
  const condition = where ? ` WHERE ${where}` : '';
  return `CREATE INDEX ${name} ON ${table.name} (${columns.join(', ')})${condition}`;
}

export function columnsOf(name: TableName): readonly string[] {
  return TABLES[name].columns.map((column) => column.name);
}

/** Inserts a row, or replaces all of it but its key. */
export function upsertInto(name: TableName): string {
  return `${insertInto(name)} ${orReplace(name)}`;
}

export function insertInto(name: TableName): string {
  const columns = columnsOf(name);
  const places = columns.map(() => '?').join(', ');
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places})`;
}

/** Updates some columns of an existing row. Values: those columns in this order, then the key. */
export function updateOf(name: TableName, set: readonly string[]): string {
  return `UPDATE ${name} SET ${set.map((column) => `${column} = ?`).join(', ')}
    WHERE ${TABLES[name].key.map((column) => `${column} = ?`).join(' AND ')}`;
}

/** Follows an insert that may meet an older version of its row; can leave some columns unchanged. */
export function orReplace(name: TableName, unchanged: readonly string[] = []): string {
  const { key } = TABLES[name];
  const set = columnsOf(name)
    .filter((column) => !key.includes(column) && !unchanged.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set.join(', ')}`;
}
