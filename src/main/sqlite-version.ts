import { refuseOldSqlite, sqliteVersion } from '../adapters/sqlite/connection.ts';

/** The version of SQLite in use; throws with the way out when it is too old. */
export function checkedSqliteVersion(): string {
  const version = sqliteVersion();
  refuseOldSqlite(version);
  return version;
}
