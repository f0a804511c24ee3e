import { setImmediate } from 'node:timers/promises';
import type { Reads } from '../../ports/store.ts';
import { type Ask, SQLITE } from '../sql/flavour.ts';
import { createReads } from '../sql/reads.ts';
import { asking, type Connection, openReader } from './connection.ts';
import { FOLDED } from './folded.ts';

/** The database as it was at one moment, however much is read of it and whatever is written meanwhile. */
export interface Snapshot extends Reads {
  readonly ask: Ask;
  close(): void;
}

export function openSnapshot(path: string): Snapshot {
  const db = openReader(path);
  db.exec('BEGIN');
  const ask = yielding(askOf(db));
  return {
    ...createReads(SQLITE, ask),
    foldedTo: async () => Number((await ask<readonly [string]>(FOLDED, []))[0]?.[0] ?? 0),
    ask,
    close: () => void db.close(),
  };
}

/** A whole table is read in many pieces; between them the hall answers whoever waits. */
function yielding(ask: Ask): Ask {
  return async (sql, values) => {
    await setImmediate();
    return ask(sql, values);
  };
}

export function askOf(db: Connection): Ask {
  const ask = asking(db);
  return async (sql, values) => ask(sql, values);
}
