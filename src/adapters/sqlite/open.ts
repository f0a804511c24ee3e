import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Store } from '../../ports/store.ts';
import { SCHEMA, type Schema } from '../sql/schema-version.ts';
import { finishRestore } from './backup.ts';
import { catchUp } from './catch-up.ts';
import {
  type Connection,
  openWriter,
  refuseOldSqlite,
  refuseUnlessDurable,
  sqliteVersion,
  WRITER_PRAGMAS,
  withReader,
} from './connection.ts';
import { codeOf, isFull, messageOf } from './fault.ts';
import { type FilesystemOf, filesystemOf, refuseNetwork } from './filesystem.ts';
import { hasForeignLog, markGeneration } from './generation.ts';
import { damaged, damageIn } from './integrity.ts';
import { lockDirectory } from './lock.ts';
import { migrate, versionIn } from './migrate.ts';
import { createOwnerOnlyFile } from './owner-only-file.ts';
import { createSqliteStore } from './store.ts';

interface SqliteSettings {
  /** The database file. Its folder is the data directory and belongs to one hall. */
  readonly path: string;
  /** Files up to this many bytes are checked in full at start. */
  readonly checkUpTo: number;
}

/** Facts about the environment that a test can replace. */
interface SqliteEnvironment {
  readonly version: () => string;
  readonly filesystemOf: FilesystemOf;
  readonly pragmas: readonly string[];
  readonly schema: Schema;
}

export const SQLITE_ENVIRONMENT: SqliteEnvironment = {
  version: sqliteVersion,
  filesystemOf,
  pragmas: WRITER_PRAGMAS,
  schema: SCHEMA,
};

/** Opens the database of a hall, or explains why it must not be used. */
export async function openSqlite(
  settings: SqliteSettings,
  environment: SqliteEnvironment = SQLITE_ENVIRONMENT,
): Promise<Store> {
  const folder = dirname(settings.path);
  refuseOldSqlite(environment.version());
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await refuseNetwork(folder, environment.filesystemOf);
  const lock = lockDirectory(folder);
  try {
    finishRestore(settings.path);
    return createSqliteStore(settings.path, await openCaughtUp(settings, environment), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openCaughtUp(
  settings: SqliteSettings,
  environment: SqliteEnvironment,
): Promise<Connection> {
  const db = openChecked(settings, environment);
  try {
    await catchUp(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openChecked(
  { path, checkUpTo }: SqliteSettings,
  environment: SqliteEnvironment,
): Connection {
  const isFresh = !existsSync(path) || statSync(path).size === 0;
  if (!isFresh) refuseDamaged(path, checkUpTo);
  createOwnerOnlyFile(path);
  const db = openWriter(path, environment.pragmas, isFresh ? markGeneration : undefined);
  try {
    migrate({
      db,
      schema: environment.schema,
      backUp: (version) => backUpBefore(db, version),
      onStatement: () => undefined,
    });
    countStart(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The first write of a start; after it the durability settings can be checked. */
function countStart(db: Connection): void {
  try {
    db.exec(COUNT_STARTS);
  } catch (error) {
    // A hall on a full disk can be read; the append that succeeds first checks the settings.
    if (isFull(error)) return;
    throw error;
  }
  refuseUnlessDurable(db);
}

const COUNT_STARTS = `INSERT INTO meta (key, value) VALUES ('starts', '1')
  ON CONFLICT (key) DO UPDATE SET value = value + 1`;

/**
 * Uses a read-only connection: a writable one would replay the log onto the file on close, and a
 * damaged file must stay as it is.
 */
function refuseDamaged(path: string, checkUpTo: number): void {
  const fault = faultInFile(path, checkUpTo);
  if (fault !== undefined) throw damaged(path, fault);
}

/** What a start finds wrong with a database, as text. */
export function faultInFile(path: string, checkUpTo: number): string | undefined {
  try {
    if (hasForeignLog(path)) return 'the write-ahead log beside it belongs to another database';
    return withReader(path, (db) =>
      versionIn(db) === undefined ? undefined : damageIn(db, checkUpTo),
    );
  } catch (error) {
    if (isCorrupt(error)) return messageOf(error);
    throw error;
  }
}

function isCorrupt(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** The copy's name contains its version, so a later migration does not overwrite it. */
function backUpBefore(db: Connection, version: number): void {
  const to = `${db.name}.version-${version}`;
  rmSync(to, { force: true });
  createOwnerOnlyFile(to);
  db.prepare('VACUUM INTO ?').run(to);
  for (const path of [to, dirname(to)]) {
    const file = openSync(path, 'r');
    fsyncSync(file);
    closeSync(file);
  }
}
