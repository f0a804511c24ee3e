import pg from 'pg';
import { StoreAway } from '../../ports/store.ts';
import { delayBefore, pause } from './backoff.ts';
import type { Asked, Cells, Statement } from './connection.ts';
import { asFault, faultOf, mayMend, wordsOf } from './fault.ts';
import { clientConfig, type Needs } from './settings.ts';

/** A few connections for all that only reads. A reading is begun again when the server goes away under it. */
export interface Readers extends Asked {
  snapshot(): Promise<Snapshot>;
  close(): Promise<void>;
}

/** Everything that is asked of it sees the database as it was at one moment. It is not begun again. */
interface Snapshot extends Asked, AsyncDisposable {}

/** Short, so that a failover or a changed address is noticed without a failed reading. */
const IDLE = 30_000;

export function createReaders(needs: Needs): Readers {
  const { clock, random, patience, log } = needs;
  const pool = new pg.Pool({
    ...clientConfig(needs),
    max: needs.readers,
    connectionTimeoutMillis: patience.connect,
    query_timeout: patience.answer,
    idleTimeoutMillis: IDLE,
  });
  // Without these a restart of the server ends this process.
  pool.on('error', (error) => log.warn('database connection broke', { error: wordsOf(error) }));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn('database connection broke', { error: wordsOf(error) }));
  });

  async function untilRead<T>(read: () => Promise<T>): Promise<T> {
    const began = clock.monotonic();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await read();
      } catch (cause) {
        const error = asFault(cause);
        const fault = faultOf(error);
        if (fault === undefined || fault === 'refused') throw error;
        if (!mayMend(error) || clock.monotonic() - began >= patience.read) {
          throw new StoreAway(`the database cannot be read: ${wordsOf(error)}`, { cause });
        }
        log.warn('database did not answer, asking again', { attempt, error: wordsOf(error) });
      }
      await pause(clock, delayBefore(attempt, random));
    }
  }

  async function begin(): Promise<pg.PoolClient> {
    const client = await pool.connect();
    try {
      for (const text of BEGIN) await client.query(text);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  return {
    ask: (statement) => untilRead(() => answerOf(pool, statement)),
    snapshot: async () => snapshotOn(await untilRead(begin)),
    close: () => pool.end(),
  };
}

/** Whoever reads may take its time between two pieces, but not for ever: old versions of rows pile up meanwhile. */
const BEGIN = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  "SET LOCAL idle_in_transaction_session_timeout = '10min'",
];

function snapshotOn(client: pg.PoolClient): Snapshot {
  let isSpoilt = false;
  return {
    async ask(statement) {
      try {
        return await answerOf(client, statement);
      } catch (error) {
        isSpoilt = true;
        throw asFault(error);
      }
    },
    async [Symbol.asyncDispose]() {
      try {
        if (!isSpoilt) await client.query('COMMIT');
      } catch {
        // All that was read was answered before.
        isSpoilt = true;
      }
      client.release(isSpoilt);
    },
  };
}

async function answerOf(
  asked: pg.Pool | pg.PoolClient,
  { text, values = [], name }: Statement,
): Promise<{ readonly rows: readonly Cells[] }> {
  const query = { text, values: [...values], rowMode: 'array' as const, ...(name && { name }) };
  return asked.query<unknown[]>(query);
}
