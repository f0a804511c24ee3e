import pg from 'pg';
import { StoreFailed, StoreUnavailable } from '../../ports/store.ts';
import { delayBefore, pause } from './backoff.ts';
import type { Cells, Queryable, Statement } from './connection.ts';
import { faultOf, isRetryable, messageOf, toFault } from './fault.ts';
import { clientConfig, type Needs } from './settings.ts';

/** A few connections for reads. A read is retried when the server goes away during it. */
export interface Readers extends Queryable {
  snapshot(): Promise<Snapshot>;
  close(): Promise<void>;
}

/** All its queries see the database as of one moment. They are not retried. */
interface Snapshot extends Queryable, AsyncDisposable {}

/** Short, so that a failover or a changed address is noticed without a failed read. */
const IDLE = 30_000;

export function createReaders(needs: Needs): Readers {
  const { clock, random, timeouts, log } = needs;
  const pool = new pg.Pool({
    ...clientConfig(needs),
    max: needs.readers,
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.answer,
    idleTimeoutMillis: IDLE,
  });
  // Without these handlers a restart of the server ends this process.
  pool.on('error', (error) => log.warn('database connection broke', { error: messageOf(error) }));
  pool.on('connect', (client) => {
    client.on('error', (error) =>
      log.warn('database connection broke', { error: messageOf(error) }),
    );
  });

  async function retryRead<T>(read: () => Promise<T>): Promise<T> {
    const began = clock.monotonic();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await read();
      } catch (cause) {
        const error = toFault(cause);
        const fault = faultOf(error);
        if (fault === undefined || fault === 'refused') throw error;
        if (fault === 'damaged') {
          throw new StoreFailed(`the database is damaged: ${messageOf(error)}`, { cause });
        }
        if (!isRetryable(error) || clock.monotonic() - began >= timeouts.read) {
          throw new StoreUnavailable(`the database cannot be read: ${messageOf(error)}`, { cause });
        }
        log.warn('database read failed, retrying', { attempt, error: messageOf(error) });
      }
      await pause(clock, delayBefore(attempt, random));
    }
  }

  async function beginSnapshot(): Promise<pg.PoolClient> {
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
    query: (statement) => retryRead(() => runStatement(pool, statement)),
    snapshot: async () => snapshotOn(await retryRead(beginSnapshot)),
    close: () => pool.end(),
  };
}

/** A reader may pause between two pieces, but not for ever: old row versions pile up meanwhile. */
const BEGIN = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  "SET LOCAL idle_in_transaction_session_timeout = '10min'",
];

function snapshotOn(client: pg.PoolClient): Snapshot {
  let isBroken = false;
  return {
    async query(statement) {
      try {
        return await runStatement(client, statement);
      } catch (error) {
        isBroken = true;
        throw toFault(error);
      }
    },
    async [Symbol.asyncDispose]() {
      try {
        if (!isBroken) await client.query('COMMIT');
      } catch {
        // All reads were already answered.
        isBroken = true;
      }
      client.release(isBroken);
    },
  };
}

async function runStatement(
  source: pg.Pool | pg.PoolClient,
  { text, values = [], name }: Statement,
): Promise<{ readonly rows: readonly Cells[] }> {
  const query = { text, values: [...values], rowMode: 'array' as const, ...(name && { name }) };
  return source.query<unknown[]>(query);
}
