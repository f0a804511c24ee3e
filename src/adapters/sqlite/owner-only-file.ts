import { closeSync, existsSync, openSync } from 'node:fs';

/**
 * Creates an empty file that only its owner can read, for SQLite to fill. The files that SQLite creates
 * beside it (`-wal`, `-shm`) get the database's permissions: findCreateFileMode in its os_unix.c.
 */
export function createOwnerOnlyFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', OWNER_ONLY));
}

export const OWNER_ONLY = 0o600;
