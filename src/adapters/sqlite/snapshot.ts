import { setImmediate } from 'node:timers/promises';
import type { Reads } from '../../ports/store.ts';
import { type RunQuery, SQLITE } from '../sql/dialect.ts';
import { createReads } from '../sql/reads.ts';
import { type Connection, createQueryRunner, openReader } from './connection.ts';
import { FOLDED } from './fold-mark.ts';

/** The database as of one moment, whatever is read and written meanwhile. */
export interface Snapshot extends Reads {
  readonly runQuery: RunQuery;
  close(): void;
}

export function openSnapshot(path: string): Snapshot {
  const db = openReader(path);
  db.exec('BEGIN');
  const runQuery = yielding(queryRunnerOf(db));
  const reads = createReads(SQLITE, runQuery);
  return {
    ...reads,
    secrets: async () => (hasSecrets(db) ? reads.secrets() : []),
    foldedTo: async () => Number((await runQuery<readonly [string]>(FOLDED, []))[0]?.[0] ?? 0),
    runQuery,
    close: () => void db.close(),
  };
}

/** A database that was not migrated yet can be exported, and has none. */
function hasSecrets(db: Connection): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'secret_value'").get() !== undefined;
}

/** Reads a whole table in pieces and lets the hall answer requests between them. */
function yielding(runQuery: RunQuery): RunQuery {
  return async (sql, values) => {
    await setImmediate();
    return runQuery(sql, values);
  };
}

export function queryRunnerOf(db: Connection): RunQuery {
  const runQuery = createQueryRunner(db);
  return async (sql, values) => runQuery(sql, values);
}
