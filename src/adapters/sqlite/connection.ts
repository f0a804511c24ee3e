import Database from 'better-sqlite3';
import type { Cell, Value } from '../sql/dialect.ts';

export type Connection = Database.Database;

/** The SQLite in use lacks a fix that durability depends on. */
class SqliteTooOld extends Error {
  override readonly name = 'SqliteTooOld';
}

/** The database would answer before the data is on disk. */
class NotDurable extends Error {
  override readonly name = 'NotDurable';
}

/** Below this a checkpoint beside a commit can lose the commit: https://sqlite.org/wal.html#walresetbug */
const OLDEST = [3, 51, 3] as const;

export function refuseOldSqlite(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [n, oldest] of OLDEST.entries()) {
    const part = parts[n] ?? 0;
    if (part > oldest) return;
    if (part < oldest) {
      throw new SqliteTooOld(
        `SQLite ${version} can lose commits; ${OLDEST.join('.')} or newer is needed: ` +
          'install the better-sqlite3 version given in package.json',
      );
    }
  }
}

export function sqliteVersion(): string {
  const db = new Database(':memory:');
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get();
  db.close();
  return version ?? '0';
}

/**
 * In this order: if `synchronous` is set before the journal mode, the driver's build drops it to NORMAL
 * at the first write. Overwriting a WAL needs no new blocks, which doubles the syncs per second of a
 * disk, so its length is kept.
 */
export const WRITER_PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'trusted_schema = OFF',
  'foreign_keys = ON',
  'mmap_size = 0',
  'wal_autocheckpoint = 1000',
  'cache_size = -65536',
] as const;

const READER_PRAGMAS = ['trusted_schema = OFF', 'mmap_size = 0', 'cache_size = -16384'] as const;

/** How long a statement waits for another connection; that can only be an operator's tool. */
const BUSY = 5_000;

/** What runs before the journal mode is set goes into the file itself, not into its log. */
export function openWriter(
  path: string,
  pragmas: readonly string[] = WRITER_PRAGMAS,
  before: (db: Connection) => void = () => undefined,
): Connection {
  const db = new Database(path, { timeout: BUSY });
  try {
    before(db);
    for (const pragma of pragmas) db.pragma(pragma);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

export function openReader(path: string): Connection {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY });
  try {
    for (const pragma of READER_PRAGMAS) db.pragma(pragma);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Runs `look` on a read-only connection, then closes it. */
export function withReader<T>(path: string, look: (db: Connection) => T): T {
  const db = openReader(path);
  try {
    return look(db);
  } finally {
    db.close();
  }
}

const FULL = 2;

/** Call after the first write: only then does the driver's build change the setting. */
export function refuseUnlessDurable(db: Connection): void {
  const mode = db.pragma('journal_mode', { simple: true });
  const synchronous = db.pragma('synchronous', { simple: true });
  if (mode === 'wal' && synchronous === FULL) return;
  throw new NotDurable(
    `the database uses journal_mode ${mode} and synchronous ${synchronous}: ` +
      'a power failure could lose acknowledged changes, so the hall does not start',
  );
}

/** Runs statements and prepares each once; a statement without rows returns none. */
export function createQueryRunner(
  db: Connection,
): <Cells>(sql: string, values: readonly Value[]) => Cells[] {
  const prepared = new Map<string, Database.Statement<Cell[], unknown>>();
  return <Cells>(sql: string, values: readonly Value[]) => {
    let statement = prepared.get(sql);
    if (!statement) {
      if (prepared.size >= MAX_PREPARED) prepared.clear();
      statement = db.prepare<Cell[], unknown>(sql);
      if (statement.reader) statement.raw();
      prepared.set(sql, statement);
    }
    if (statement.reader) return statement.all(...(values as Cell[])) as Cells[];
    statement.run(...(values as Cell[]));
    return [];
  };
}

/** Some texts contain limits, so there could be many. */
const MAX_PREPARED = 500;
