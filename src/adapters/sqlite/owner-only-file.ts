import { closeSync, existsSync, openSync } from 'node:fs';

/**
 * Makes an empty file that only its owner can read, which SQLite then fills. What SQLite makes
 * beside it (`-wal`, `-shm`) gets the rights of the database: findCreateFileMode in its os_unix.c.
 */
export function createOwnerOnlyFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', OWNER_ONLY));
}

export const OWNER_ONLY = 0o600;
