import { statSync } from 'node:fs';
import { StoreFailed } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { storeFailed } from './fault.ts';

/**
 * Refuses to write into files that were deleted. SQLite keeps using a log that was deleted under it and
 * reports every commit as durable; the last commits would be lost with the process.
 */
export function refuseReplacedFile(path: string, db: Connection): () => void {
  const known = [path, `${path}-wal`].map((file) => ({ file, is: identityOf(file) }));
  return () => {
    const gone = known.find(({ file, is }) => identityOf(file) !== is);
    if (!gone) return;
    checkpointOpenFile(db);
    throw new StoreFailed(`${gone.file} was moved, deleted or replaced while the hall was running`);
  };
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Commits already answered are in the log that is open here, and nowhere else if it was deleted. */
function checkpointOpenFile(db: Connection): void {
  try {
    db.pragma('wal_checkpoint(FULL)');
  } catch (error) {
    throw storeFailed(error, 'save changes to a file that is gone');
  }
}
