import { existsSync, renameSync } from 'node:fs';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { moveDurably, sync } from '../files/write-durably.ts';
import { SCHEMA, type Schema } from '../sql/schema-version.ts';
import { queryInBackground } from './background-query.ts';
import { openWriter } from './connection.ts';
import { markGeneration } from './generation.ts';
import { refuseDamagedFile } from './integrity.ts';
import { lockDirectory } from './lock.ts';
import { refuseUnknownVersion } from './migrate.ts';
import { createOwnerOnlyFile, OWNER_ONLY } from './owner-only-file.ts';

/** Copies the database as of one moment, while the hall works. The copy appears only when complete. */
export async function backup(path: string, to: string): Promise<void> {
  const unfinished = `${to}.unfinished`;
  await rm(unfinished, { force: true });
  createOwnerOnlyFile(unfinished);
  await queryInBackground({ path, sql: 'VACUUM INTO ?', values: [unfinished] });
  await moveDurably(unfinished, to);
}

/**
 * Replaces the database with a checked backup and returns where the old one was moved. After a kill at
 * any point, the next start finds the old database or finishes the restore.
 */
export async function restoreInto(
  path: string,
  from: string,
  schema: Schema = SCHEMA,
): Promise<string | undefined> {
  await refuseDamagedFile(from);
  refuseUnknownVersion(from, schema);
  const lock = lockDirectory(dirname(path));
  try {
    const copying = `${path}.copying`;
    await copyFile(from, copying);
    await chmod(copying, OWNER_ONLY);
    openWriter(copying, [], markGeneration).close();
    await moveDurably(copying, pendingRestore(path));
    const replaced = finishRestore(path);
    await sync(dirname(path));
    return replaced;
  } finally {
    lock.release();
  }
}

/** A complete backup that waits to become the database. */
function pendingRestore(path: string): string {
  return `${path}.restoring`;
}

/**
 * Call with the lock held. The write-ahead log moves aside with its database: replayed onto another one
 * it would mix two histories.
 */
export function finishRestore(path: string): string | undefined {
  if (!existsSync(pendingRestore(path))) return undefined;
  const replaced = freeName(path);
  for (const part of PARTS) {
    if (existsSync(path + part)) renameSync(path + part, replaced + part);
  }
  renameSync(pendingRestore(path), path);
  return existsSync(replaced) ? replaced : undefined;
}

const PARTS = ['-shm', '-wal', ''];

function freeName(path: string): string {
  for (let n = 1; ; n += 1) {
    const name = `${path}.replaced-${n}`;
    if (!PARTS.some((part) => existsSync(name + part))) return name;
  }
}
