import { existsSync, statSync } from 'node:fs';
import { Connection } from '../adapters/postgres/connection.ts';
import { messageOf as serverMessageOf } from '../adapters/postgres/fault.ts';
import { TIMEOUTS } from '../adapters/postgres/settings.ts';
import { SCHEMA } from '../adapters/sql/schema-version.ts';
import { messageOf } from '../adapters/sqlite/fault.ts';
import { refuseUnknownVersion } from '../adapters/sqlite/migrate.ts';
import { faultInFile } from '../adapters/sqlite/open.ts';
import { createClock } from '../adapters/system/clock.ts';
import { CHECK_UP_TO, databasePath } from './open-store.ts';

export interface DatabaseState {
  readonly path: string;
  /** Whether the database exists. */
  readonly isThere: boolean;
  /** Why a hall would refuse to start on it. */
  readonly fault: string | undefined;
}

/** Checks the SQLite database as a start does, and changes nothing. */
export function inspectDatabase(data: string): DatabaseState {
  const path = databasePath(data);
  const isThere = existsSync(path) && statSync(path).size > 0;
  return { path, isThere, fault: isThere ? faultIn(path) : undefined };
}

function faultIn(path: string): string | undefined {
  try {
    refuseUnknownVersion(path, SCHEMA);
    return faultInFile(path, CHECK_UP_TO);
  } catch (error) {
    return messageOf(error);
  }
}

/** Asks a PostgreSQL server for its version, without the retries of a start. */
export async function inspectServer(
  url: string,
): Promise<{ readonly version: string } | { readonly fault: string }> {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const needs = { clock: createClock(), log: silent, random: Math.random, readers: 1 };
  let connection: Connection | undefined;
  try {
    connection = await Connection.open({ url, timeouts: TIMEOUTS, ...needs });
    const { rows } = await connection.query({ text: 'SHOW server_version' });
    return { version: String(rows[0]?.[0]) };
  } catch (error) {
    return { fault: serverMessageOf(error) };
  } finally {
    connection?.drop();
  }
}
