import Database from 'better-sqlite3';
import { GroupRefused, StoreBroken } from '../../ports/store.ts';

/** Codes with which SQLite says that the group is wrong and the file is as it was. */
const GROUP_IS_WRONG = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_RANGE'];

/** A fault of the driver as one of ours. What is not known to be harmless is taken to be the disk. */
export function asStoreFault(error: unknown, attempted: string): GroupRefused | StoreBroken {
  if (error instanceof GroupRefused || error instanceof StoreBroken) return error;
  const said = `${attempted}: ${wordsOf(error)}`;
  return isGroupWrong(error)
    ? new GroupRefused(said, { cause: error })
    : new StoreBroken(said, { cause: error });
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

export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  return code === undefined ? words : `${words} (${code})`;
}
