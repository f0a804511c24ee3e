import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { moveDurably } from '../adapters/files/write-durably.ts';
import { backup } from '../adapters/sqlite/backup.ts';
import type { HallSettings } from '../config/config.ts';
import { exportLog } from './export-log.ts';
import { databasePath, type Needs, NoDatabase, openReads } from './open-store.ts';
import { inspectSecrets, type StoredSecrets } from './stored-secrets.ts';

export interface Backup {
  readonly file: string;
  /** In the copy only encrypted, without their key. */
  readonly secrets: StoredSecrets;
}

/** Copies everything the hall has recorded to one file, while the hall runs. */
export async function backUp(
  file: string | undefined,
  hall: Pick<HallSettings, 'data' | 'store' | 'secretsKey'>,
  needs: Needs,
): Promise<Backup> {
  const to = file ?? nameFor(hall, needs);
  if (existsSync(to))
    throw new BackupExists(`${to} already exists and was not changed; choose another file`);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  if (hall.store.kind === 'postgres') await exportTo(to, hall, needs);
  else await copy(databasePath(hall.data), to);
  await using opened = await openReads(hall, needs);
  return { file: to, secrets: await inspectSecrets(opened.reads, hall) };
}

export class BackupExists extends Error {
  override readonly name = 'BackupExists';
}

function nameFor({ data, store }: Pick<HallSettings, 'data' | 'store'>, { clock }: Needs): string {
  const stamp = new Date(clock.now())
    .toISOString()
    .replaceAll(':', '')
    .replace(/\.\d+Z$/, 'Z');
  return join(data, 'backups', `${stamp}.${store.kind === 'sqlite' ? 'db' : 'ndjson'}`);
}

async function copy(path: string, to: string): Promise<void> {
  if (!existsSync(path)) throw new NoDatabase(`there is no database at ${path} to back up`);
  await backup(path, to);
}

/** A reader never sees a partial file. */
async function exportTo(
  to: string,
  hall: Pick<HallSettings, 'data' | 'store'>,
  needs: Needs,
): Promise<void> {
  await using opened = await openReads(hall, needs);
  const unfinished = `${to}.unfinished`;
  const target = createWriteStream(unfinished, { mode: 0o600 });
  await pipeline(Readable.from(exportLog(opened.reads)), target);
  await moveDurably(unfinished, to);
}
