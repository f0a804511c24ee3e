import { existsSync, statSync } from 'node:fs';
import { SCHEMA } from '../adapters/sql/schema.ts';
import { wordsOf } from '../adapters/sqlite/fault.ts';
import { refuseUnknownVersion } from '../adapters/sqlite/migrate.ts';
import { faultInFile } from '../adapters/sqlite/open.ts';
import { CHECK_UP_TO, databasePath } from './open-store.ts';

export interface DatabaseSeen {
  readonly path: string;
  /** Whether there is one yet. */
  readonly isThere: boolean;
  /** Why a hall would not start on it. */
  readonly fault: string | undefined;
}

/** Looks at the SQLite database as a start does, and changes nothing. */
export function lookAtDatabase(data: string): DatabaseSeen {
  const path = databasePath(data);
  const isThere = existsSync(path) && statSync(path).size > 0;
  return { path, isThere, fault: isThere ? faultIn(path) : undefined };
}

function faultIn(path: string): string | undefined {
  try {
    refuseUnknownVersion(path, SCHEMA);
    return faultInFile(path, CHECK_UP_TO);
  } catch (error) {
    return wordsOf(error);
  }
}
