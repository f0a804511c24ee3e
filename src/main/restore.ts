import { existsSync, readdirSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { SCHEMA } from '../adapters/sql/schema-version.ts';
import { restoreInto } from '../adapters/sqlite/backup.ts';
import { refuseUnknownVersion } from '../adapters/sqlite/migrate.ts';
import { openSnapshot } from '../adapters/sqlite/snapshot.ts';
import { loadBoard } from '../board/load-board.ts';
import { Writer } from '../board/writer.ts';
import type { HallSettings } from '../config/config.ts';
import { Board } from '../domain/board.ts';
import type { Recorded } from '../domain/event.ts';
import type { Hall } from '../domain/hall.ts';
import type { Instant } from '../domain/ids.ts';
import { isRefusal } from '../domain/refusal.ts';
import { eraAfter, restoreBoard } from '../domain/restoring.ts';
import type { Head, Page, Reads } from '../ports/store.ts';
import { anchorsIn, lastAgreed, writeAnchor } from './anchors.ts';
import { sealedFrom } from './export-log.ts';
import { exportedLines } from './exported-lines.ts';
import { ImportRefused, importLog } from './import-log.ts';
import { databasePath, type Needs, type OpenStore, openStore } from './open-store.ts';
import { refuseOtherHall } from './refuse-other-hall.ts';
import { inspectSecrets, type StoredSecrets } from './stored-secrets.ts';

export interface Restored {
  /** Where the backup ended, and where the log ends now. */
  readonly from: Head;
  readonly head: Head;
  readonly era: number;
  /** Where the replaced database is now; null when there was none. */
  readonly aside: string | null;
  /** If the backup is not an earlier part of the replaced log, the last event they are known to share. */
  readonly partsAfter: number | null;
  readonly secrets: StoredSecrets;
}

/** Restores a backup: a copy of an SQLite database, or an export into an empty store. */
export async function restore(
  file: string,
  hall: Pick<HallSettings, 'data' | 'store' | 'secretsKey'>,
  needs: Needs & { readonly force?: boolean },
): Promise<Restored> {
  const isCopy = await refuseJunk(file);
  // The folder does not exist yet on a machine that replaces a lost one.
  await mkdir(hall.data, { recursive: true, mode: 0o700 });
  const eras = await erasIn(hall, needs.clock.now());
  if (isCopy && hall.store.kind === 'postgres') {
    throw new ImportRefused(
      `${file} is a copy of an SQLite database, but this hall uses PostgreSQL: ` +
        'export it from a hall on SQLite, then import it here',
    );
  }
  if (isCopy && needs.force !== true) await refuseOtherHall(file, hall.data);
  const aside = isCopy ? await restoreInto(databasePath(hall.data), file) : undefined;
  const opened = await openStore(hall, needs);
  try {
    if (!isCopy) await importInto(opened, file, hall);
    const done = await appendRestored(opened, { eras, cause: `restore ${basename(file)}`, needs });
    const partsAfter = await resetAnchors(hall.data, opened, { ...done, at: needs.clock.now() });
    const secrets = await inspectSecrets(opened.store, hall);
    return { ...done, aside: aside ?? null, partsAfter, secrets };
  } finally {
    await opened.store.close();
  }
}

/**
 * The restored log may differ from the replaced one: it may come from another hall, or from a database
 * that an earlier restore put aside. Anchors of the replaced log are then void, even those older than the
 * backup.
 */
async function resetAnchors(
  folder: string,
  { store }: OpenStore,
  { from, head, at }: Pick<Restored, 'from' | 'head'> & { readonly at: Instant },
): Promise<number | null> {
  const anchors = anchorsIn(folder);
  const backTo = await lastAgreed(anchors, store);
  await writeAnchor(folder, head, { at, backTo });
  return anchors.some(({ seq }) => seq > backTo && seq <= from.seq) ? backTo : null;
}

/** Finds out whether the file is a copy or an export, before anything is changed. */
async function refuseJunk(file: string): Promise<boolean> {
  const isFile = (await stat(file)).isFile();
  if (isFile && (await isSqlite(file))) {
    refuseForeign(file);
    return true;
  }
  if (isFile && (await isExport(file))) return false;
  throw new ImportRefused(
    `${file} is neither a backup nor an export of a hall; nothing was changed`,
  );
}

function refuseForeign(file: string): void {
  try {
    refuseUnknownVersion(file, SCHEMA);
  } catch (error) {
    const because = (error as Error).message;
    throw new ImportRefused(`${file} cannot be restored; nothing was changed: ${because}`, {
      cause: error,
    });
  }
}

async function isExport(file: string): Promise<boolean> {
  for await (const line of exportedLines(file)) return sealedFrom(line) !== undefined;
  return false;
}

/** The number of databases that earlier restores put aside. */
function countAside(data: string): number {
  const name = new RegExp(`^${basename(databasePath(data))}\\.replaced-\\d+$`);
  return readdirSync(data).filter((file) => name.test(file)).length;
}

async function importInto(
  opened: OpenStore,
  file: string,
  { data, store }: Pick<HallSettings, 'data' | 'store'>,
): Promise<void> {
  const { seq } = await opened.store.head();
  if (seq > 0) {
    const where = store.kind === 'postgres' ? 'the database' : data;
    const alternative =
      store.kind === 'postgres' ? 'another database' : 'another folder with --data';
    throw new ImportRefused(
      `${where} already holds ${seq} events, and an export can be restored only into an empty one: ` +
        `nothing was changed; use ${alternative}`,
    );
  }
  await importLog(
    () => exportedLines(file),
    opened,
    () => undefined,
  );
}

async function isSqlite(file: string): Promise<boolean> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(15), 0, 15, 0);
  return buffer.toString('latin1', 0, bytesRead) === 'SQLite format 3';
}

/** The eras of the replaced database, which may be newer than the backup's. */
async function erasIn(
  { data, store }: Pick<HallSettings, 'data' | 'store'>,
  now: Instant,
): Promise<number[]> {
  const path = databasePath(data);
  if (store.kind === 'postgres' || !existsSync(path)) return [];
  try {
    return await erasOf(path);
  } catch {
    // A damaged database cannot tell. The databases put aside bound the number of restores in this hour.
    return [eraAfter([], now) + countAside(data)];
  }
}

/** The era in the tables, and those begun by events not yet folded into them. */
async function erasOf(path: string): Promise<number[]> {
  const snapshot = openSnapshot(path);
  try {
    const era = await eraIn(snapshot);
    const eras = era === undefined ? [] : [era];
    for (let after: number | undefined = await snapshot.foldedTo(); after !== undefined; ) {
      const page: Page<Recorded> = await snapshot.events({
        after,
        types: ['HallRestored'],
        limit: 100,
      });
      for (const { event } of page.rows) if ('hall' in event) eras.push(event.hall.era);
      after = page.next;
    }
    return eras;
  } finally {
    snapshot.close();
  }
}

async function eraIn(reads: Pick<Reads, 'dump'>): Promise<number | undefined> {
  for await (const [table, , value] of reads.dump()) {
    if (table !== 'hall') return undefined;
    const { era }: Hall = JSON.parse(value);
    return era;
  }
  return undefined;
}

async function appendRestored(
  { store, leadership }: OpenStore,
  { eras, cause, needs }: { eras: readonly number[]; cause: string; needs: Needs },
): Promise<Omit<Restored, 'aside' | 'partsAfter' | 'secrets'>> {
  const board = new Board();
  const { head: from } = await loadBoard(store, board);
  const leader = await leadership?.look();
  const epoch = leader && (await leadership?.takeOver(leader, 'restore'));
  const writer = new Writer({
    store,
    clock: needs.clock,
    board,
    head: from,
    epoch: epoch ?? 0,
    isAssured: () => false,
    savedHeartbeats: () => [],
    committed: () => undefined,
    lost: () => undefined,
  });
  const era = await writer.change({
    meta: { actor: 'operator:local', cause },
    decide: (now, at) => restoreBoard(now, eraAfter([...eras, now.hall.era], at.at), at),
  });
  if (epoch !== undefined) await leadership?.stepDown(epoch);
  if (typeof era !== 'number' || isRefusal(era)) throw new Error('the restore was not recorded');
  return { from, head: writer.head, era };
}
