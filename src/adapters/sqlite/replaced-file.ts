import { statSync } from 'node:fs';
import { StoreFailed } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { toStoreFault } from './fault.ts';

/**
 * Refuses to write into files that lie nowhere any more. SQLite goes on with a log that was deleted
 * under it and says that every commit is on disk; the last of them would be gone with the process.
 */
export function refuseReplacedFile(path: string, db: Connection): () => void {
  const known = [path, `${path}-wal`].map((file) => ({ file, is: identityOf(file) }));
  return () => {
    const gone = known.find(({ file, is }) => identityOf(file) !== is);
    if (!gone) return;
    checkpointOpenFile(db);
    throw new StoreFailed(`${gone.file} was moved, deleted or replaced while the hall runs`);
  };
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** What was answered is in the log that is still open here, and nowhere else if it was deleted. */
function checkpointOpenFile(db: Connection): void {
  try {
    db.pragma('wal_checkpoint(FULL)');
  } catch (error) {
    throw toStoreFault(error, 'save what was written into a file that is gone');
  }
}
