import { refuseOldSqlite, sqliteVersion } from '../adapters/sqlite/connection.ts';

/** The SQLite version in use; throws with how to fix it when it is too old. */
export function checkedSqliteVersion(): string {
  const version = sqliteVersion();
  refuseOldSqlite(version);
  return version;
}
