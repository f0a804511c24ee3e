import type { Clock } from '../../ports/clock.ts';
import type { Leadership } from '../../ports/leadership.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';
import { createAppend } from './append.ts';
import { createLastSeenHead } from './last-seen-head.ts';
import { PostgresLeadership } from './leadership.ts';
import { Listener } from './listener.ts';
import { migrate } from './migrate.ts';
import { createReaders } from './readers.ts';
import { type Needs, TIMEOUTS, type Timeouts } from './settings.ts';
import { createStore } from './store.ts';
import { createWriter } from './writer.ts';

interface PostgresOptions {
  readonly url: string;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly timeouts?: Partial<Timeouts>;
  /** Number of connections for reads. */
  readonly readers?: number;
  /**
   * True when the operator knows that the database was failed over or restored, and continues with what
   * it holds.
   */
  readonly accept?: boolean;
}

/** A database that this node of the hall shares with others. Closing the store closes everything. */
export interface Postgres {
  readonly store: Store;
  readonly leadership: Leadership;
}

const READERS = 4;

export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  const needs: Needs = {
    readers: READERS,
    ...options,
    timeouts: { ...TIMEOUTS, ...options.timeouts },
  };
  await migrate(needs);

  const lastSeen = createLastSeenHead();
  const writer = createWriter(needs, lastSeen);
  const readers = createReaders(needs);
  const listener = new Listener(needs);
  const leadership = new PostgresLeadership({ writer, lastSeen, listener });
  if (options.accept) await leadership.acceptLineage();
  const append = createAppend({ writer, lastSeen });
  const store = createStore({ readers, lastSeen, append });
  let closing: Promise<unknown> | undefined;
  return {
    store: {
      ...store,
      async close() {
        closing ??= Promise.all([writer.close(), listener.close(), readers.close()]);
        await closing;
      },
    },
    leadership,
  };
}
