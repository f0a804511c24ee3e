import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { restoreInto } from '../adapters/sqlite/backup.ts';
import { openSnapshot } from '../adapters/sqlite/snapshot.ts';
import { loadBoard } from '../board/load-board.ts';
import { Writer } from '../board/writer.ts';
import type { HallSettings } from '../config/config.ts';
import { Board } from '../domain/board.ts';
import type { Hall } from '../domain/hall.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { Head, Reads } from '../ports/store.ts';
import { dropAnchor } from './anchors.ts';
import { exportedLines } from './exported-lines.ts';
import { ImportRefused, importLog } from './import-log.ts';
import { databasePath, type Needs, type OpenStore, openStore } from './open-store.ts';
import { eraAfter, restored } from './restoring.ts';

export interface Restored {
  /** Where the backup ended, and where the log ends now. */
  readonly from: Head;
  readonly head: Head;
  readonly era: number;
}

/** Goes on from a backup: a copy of an SQLite database, or an export into a store that is empty. */
export async function restore(
  file: string,
  hall: Pick<HallSettings, 'data' | 'store'>,
  needs: Needs,
): Promise<Restored> {
  const isCopy = await isSqlite(file);
  // Nothing is there yet on a machine that takes the place of a lost one.
  await mkdir(hall.data, { recursive: true, mode: 0o700 });
  const eras = await erasIn(hall);
  if (isCopy && hall.store.kind === 'postgres') {
    throw new ImportRefused(
      `${file} is a copy of an SQLite database, and this hall is on PostgreSQL: ` +
        'export it from a hall on SQLite, then import it here',
    );
  }
  if (isCopy) await restoreInto(databasePath(hall.data), file);
  const opened = await openStore(hall, needs);
  try {
    if (!isCopy) await importLog(exportedLines(file), opened, () => undefined);
    const done = await appendRestored(opened, { eras, cause: `restore ${basename(file)}`, needs });
    await dropAnchor(hall.data, done.head, { at: needs.clock.now(), backTo: done.from.seq });
    return done;
  } finally {
    await opened.store.close();
  }
}

async function isSqlite(file: string): Promise<boolean> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(15), 0, 15, 0);
  return buffer.toString('latin1', 0, bytesRead) === 'SQLite format 3';
}

/** The era of the database that is replaced, which may be past what the backup knows. */
async function erasIn({ data, store }: Pick<HallSettings, 'data' | 'store'>): Promise<number[]> {
  const path = databasePath(data);
  if (store.kind === 'postgres' || !existsSync(path)) return [];
  const snapshot = openSnapshot(path);
  try {
    const era = await eraIn(snapshot);
    return era === undefined ? [] : [era];
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
): Promise<Restored> {
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
    pulses: () => [],
    committed: () => undefined,
    lost: () => undefined,
  });
  const era = await writer.change({
    meta: { actor: 'operator:local', cause },
    decide: (now, at) => restored(now, eraAfter([...eras, now.hall.era], at.at), at),
  });
  if (epoch !== undefined) await leadership?.stepDown(epoch);
  if (typeof era !== 'number' || isRefusal(era)) throw new Error('the restore was not recorded');
  return { from, head: writer.head, era };
}
