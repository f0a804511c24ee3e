import { randomInt } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { type Connection, withReader } from './connection.ts';

/**
 * A database and its write-ahead log do not know that they belong together: SQLite replays any log
 * beside the file onto it. So every database has its own number in its header, readable both from the
 * file alone and through the log.
 */
export function markGeneration(db: Connection): void {
  db.pragma(`application_id = ${randomInt(1, 2 ** 31 - 1)}`);
}

/** True when the log beside a database belongs to another one. Changes neither. */
export function hasForeignLog(path: string): boolean {
  const alone = generationIn(path);
  if (alone === 0 || !existsSync(`${path}-wal`)) return false;
  return withReader(path, (db) => db.pragma('application_id', { simple: true }) !== alone);
}

const HEADER = 100;
const PLACE = 68;

/** The number in the file itself; 0 when it has none or is not a database yet. */
function generationIn(path: string): number {
  const header = Buffer.alloc(HEADER);
  const file = openSync(path, 'r');
  try {
    return readSync(file, header, 0, HEADER, 0) === HEADER ? header.readInt32BE(PLACE) : 0;
  } finally {
    closeSync(file);
  }
}
