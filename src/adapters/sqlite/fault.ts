import Database from 'better-sqlite3';
import { GroupRefused, StoreFailed } from '../../ports/store.ts';

/** Codes with which SQLite says that the group is wrong and the file is as it was. */
const GROUP_IS_WRONG = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_RANGE'];

/** A fault of the driver as one of ours. What is not known to be harmless is taken to be the disk. */
export function toStoreFault(error: unknown, attempted: string): GroupRefused | StoreFailed {
  if (error instanceof GroupRefused || error instanceof StoreFailed) return error;
  const message = `${attempted}: ${messageOf(error)}`;
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
