import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../adapters/postgres/open.ts';
import { openSqlite } from '../adapters/sqlite/open.ts';
import { openSnapshot } from '../adapters/sqlite/snapshot.ts';
import type { HallSettings } from '../config/config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { Log } from '../ports/log.ts';
import type { Reads, Store } from '../ports/store.ts';

export interface Needs {
  readonly clock: Clock;
  readonly log: Log;
  /** Accept a database that was failed over or restored while no hall was running. */
  readonly accept?: boolean;
}

export interface OpenStore {
  readonly store: Store;
  /** Only when several nodes may share the store. */
  readonly leadership: Leadership | undefined;
}

/** Checking 64 MB takes about a fifth of a second. */
export const CHECK_UP_TO = 64 * 1024 * 1024;

export function databasePath(data: string): string {
  return join(data, 'hall.db');
}

/** There is no database to open. */
export class NoDatabase extends Error {
  override readonly name = 'NoDatabase';
}

/** Opens the store for writing. With SQLite, this process locks the data folder until the store is closed. */
export async function openStore(
  { data, store }: Pick<HallSettings, 'data' | 'store'>,
  { clock, log, accept = false }: Needs,
): Promise<OpenStore> {
  if (store.kind === 'postgres') {
    return openPostgres({ url: store.url, clock, log, random: Math.random, accept });
  }
  const opened = await openSqlite({ path: databasePath(data), checkUpTo: CHECK_UP_TO });
  return { store: opened, leadership: undefined };
}

export interface OpenReads extends AsyncDisposable {
  readonly reads: Reads;
}

/** Opens the store for reading, even while a hall is using it. SQLite reads come from one snapshot. */
export async function openReads(
  { data, store }: Pick<HallSettings, 'data' | 'store'>,
  needs: Needs,
): Promise<OpenReads> {
  if (store.kind === 'postgres') {
    const { store: reads } = await openStore({ data, store }, needs);
    return { reads, [Symbol.asyncDispose]: () => reads.close() };
  }
  const path = databasePath(data);
  if (!existsSync(path)) {
    throw new NoDatabase(`there is no database at ${path}; a hall creates one at its first start`);
  }
  const snapshot = openSnapshot(path);
  return { reads: snapshot, [Symbol.asyncDispose]: async () => snapshot.close() };
}
