import { SQLITE } from '../sql/dialect.ts';
import { type Schema, statementsFrom, VERSION_KEY } from '../sql/schema-version.ts';
import { type Connection, withReader } from './connection.ts';

/** The file is a database, but not one of ours. */
class ForeignDatabase extends Error {
  override readonly name = 'ForeignDatabase';
}

interface Needs {
  readonly db: Connection;
  readonly schema: Schema;
  /** Copies a database before it is changed. */
  readonly backUp: (version: number) => void;
  /** Called after each statement, before anything is committed. */
  readonly onStatement: (statement: string) => void;
}

/**
 * Brings the tables to the version of the schema in one transaction: after a kill at any point, the
 * next start finds either the old or the new tables.
 */
export function migrate({ db, schema, backUp, onStatement }: Needs): void {
  const found = versionIn(db);
  const statements = statementsFrom(found, SQLITE, schema);
  if (statements.length === 0) return;
  if (found !== undefined) backUp(found);
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const statement of statements) {
      db.exec(statement);
      onStatement(statement);
    }
    db.exec('COMMIT');
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

/** Undefined for an empty database. */
export function versionIn(db: Connection): number | undefined {
  const tables = db.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all();
  if (tables.length === 0) return undefined;
  if (!tables.includes('meta') || !tables.includes('event')) {
    throw new ForeignDatabase(`${db.name} is not the database of a hall; it was not changed`);
  }
  const version = db
    .prepare<[string], string>('SELECT value FROM meta WHERE key = ?')
    .pluck()
    .get(VERSION_KEY);
  if (version === undefined) throw new ForeignDatabase(`${db.name} has no schema version`);
  return Number(version);
}

/** Checks a file that is not in use: this hall must be able to use it, directly or after migrating. */
export function refuseUnknownVersion(path: string, schema: Schema): void {
  const found = withReader(path, versionIn);
  if (found === undefined) throw new ForeignDatabase(`${path} is empty`);
  statementsFrom(found, SQLITE, schema);
}
