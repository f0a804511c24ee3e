import type { Head } from '../../ports/store.ts';
import { POSTGRES } from '../sql/dialect.ts';
import { refuseNewer, VERSION_KEY } from '../sql/schema-version.ts';
import type { Cells, Queryable } from './connection.ts';

/**
 * The one row that records where the log ends and who may append to it.
 *
 * `append_number` counts appends. A group without events leaves `seq` and `link` unchanged, and a copy
 * of a statement that the network delayed must find something changed when it arrives.
 *
 * The row is found by that number, and so at once. During a backup the server keeps all old versions of
 * the row, and with a constant key it would search through them: after 24,000 appends reading the row
 * took four times as long (measured).
 */
export interface HeadRow extends Head {
  readonly epoch: number;
  readonly heartbeat: number;
  readonly appendNumber: number;
  readonly url: string;
  /** The server and timeline on which the log was written. */
  readonly lineage: string;
  /** The link at a place in the log that this node has seen; null when there is none. */
  readonly linkThere: string | null;
}

/**
 * `leader_term` stores the append at which each epoch began, so a leader that lost its term learns
 * whether its last append counted.
 */
export const HEAD_TABLES: readonly string[] = [
  `CREATE TABLE head (
  append_number bigint PRIMARY KEY,
  epoch bigint NOT NULL,
  heartbeat bigint NOT NULL,
  url text NOT NULL,
  seq bigint NOT NULL,
  link text NOT NULL,
  lineage text NOT NULL
)`,
  `CREATE TABLE leader_term (
  epoch bigint PRIMARY KEY,
  url text NOT NULL,
  holder text NOT NULL,
  append_number bigint NOT NULL,
  seq bigint NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now()
)`,
];

/** Migrates the head tables of version 2. */
export const RENAME_HEAD_TABLES: readonly string[] = [
  'ALTER TABLE head RENAME COLUMN turn TO append_number',
  'ALTER TABLE head RENAME COLUMN beat TO heartbeat',
  ...POSTGRES.renameTable('reign', 'leader_term'),
  'ALTER TABLE leader_term RENAME COLUMN turn TO append_number',
  'ALTER TABLE leader_term RENAME COLUMN began TO started_at',
];

/** In every read of the head, because a newer version may migrate the tables under a running node. */
export const SCHEMA_VERSION = `SELECT value::int FROM meta WHERE key = '${VERSION_KEY}'`;

const SELECT = `SELECT epoch, heartbeat, append_number, url, seq, link, lineage,
  (SELECT link FROM event WHERE event.seq = $1), (${SCHEMA_VERSION})
  FROM head ORDER BY append_number DESC LIMIT 1`;

/** Selects the row in a statement that changes it. */
export const AT_HEAD = 'append_number = (SELECT max(append_number) FROM head)';

export function readHead(source: Queryable, at: number): Promise<HeadRow> {
  return headFrom(source, { name: 'head', text: SELECT, at });
}

/**
 * Waits for a concurrent change, then reads the row. Answers only when everything it read is as durable
 * as a commit: the server writes the lock to its log, on its synchronous standbys too.
 */
export function lockHead(source: Queryable, at: number): Promise<HeadRow> {
  return headFrom(source, { name: 'head_locked', text: `${SELECT} FOR UPDATE OF head`, at });
}

async function headFrom(
  source: Queryable,
  { name, text, at }: { readonly name: string; readonly text: string; readonly at: number },
): Promise<HeadRow> {
  const { rows } = await source.query({ name, text, values: [at] });
  const [row] = rows;
  if (!row) throw new Error('the table head is empty: this is not the database of a hall');
  return headRow(row);
}

function headRow(cells: Cells): HeadRow {
  const [epoch, heartbeat, appendNumber, url, seq, link, lineage, linkThere, version] = cells as [
    number,
    number,
    number,
    string,
    number,
    string,
    string,
    string | null,
    number,
  ];
  refuseNewer(version);
  return { epoch, heartbeat, appendNumber, url, seq, link, lineage, linkThere };
}
