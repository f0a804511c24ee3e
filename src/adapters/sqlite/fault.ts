import Database from 'better-sqlite3';
import { GroupRefused, StoreFailed } from '../../ports/store.ts';

/** SQLite codes for a bad group, after which the file is unchanged. */
const GROUP_IS_WRONG = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_RANGE'];

/** Translates a driver error into ours. Anything not known to be harmless counts as a disk fault. */
export function toStoreFault(error: unknown, attempted: string): GroupRefused | StoreFailed {
  if (error instanceof GroupRefused || error instanceof StoreFailed) return error;
  const message = `could not ${attempted}: ${messageOf(error)}`;
  return isGroupWrong(error)
    ? new GroupRefused(message, { cause: error })
    : new StoreFailed(message, { cause: error });
}

/** The driver throws a TypeError or a RangeError for a value that no column can hold. */
function isGroupWrong(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  const code = codeOf(error);
  return code !== undefined && GROUP_IS_WRONG.some((wrong) => code.startsWith(wrong));
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Database.SqliteError ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  return code === undefined ? message : `${message} (${code})`;
}
