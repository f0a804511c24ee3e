import Database from 'better-sqlite3';
import { GroupRefused, StoreFailed, StoreFull } from '../../ports/store.ts';

/** SQLite codes for a bad group, after which the file is unchanged. */
const GROUP_IS_WRONG = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_RANGE'];

/**
 * Translates an error of a transaction that was rolled back. Anything not known to be harmless counts as
 * a disk fault.
 */
export function toStoreFault(
  error: unknown,
  attempted: string,
): GroupRefused | StoreFull | StoreFailed {
  if (error instanceof GroupRefused || error instanceof StoreFailed) return error;
  const message = `could not ${attempted}: ${messageOf(error)}`;
  if (isGroupWrong(error)) return new GroupRefused(message, { cause: error });
  return isFull(error) ? new StoreFull(message, { cause: error }) : storeFailed(error, attempted);
}

/** For an error after which it is unknown what is on disk. */
export function storeFailed(error: unknown, attempted: string): StoreFailed {
  return new StoreFailed(`could not ${attempted}: ${messageOf(error)}`, { cause: error });
}

/**
 * SQLite reports a write without space this way (unixWrite in its os_unix.c), and a commit writes before
 * it syncs. A sync that fails, for whatever reason, is reported as SQLITE_IOERR_FSYNC.
 */
export function isFull(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_FULL';
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
