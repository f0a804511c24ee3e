import type { Duration } from '../../domain/ids.ts';
import { StoreFailed } from '../../ports/store.ts';
import { delayBefore, pause } from './backoff.ts';
import { Connection } from './connection.ts';
import { faultOf, isReadOnly, isRetryable, messageOf } from './fault.ts';
import type { Needs } from './settings.ts';

/**
 * One connection at a time, reopened when it breaks. Its users take turns.
 *
 * Work may be started several times: again after its connection broke or the server deferred it. It
 * must find out by itself what its earlier attempts did.
 */
export interface Session {
  persist<T>(purpose: string, work: Work<T>, within?: Duration): Promise<T>;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

type Work<T> = (connection: Connection) => Promise<T>;

export function createSession(
  needs: Needs,
  prepare: (connection: Connection) => Promise<void>,
): Session {
  const { clock, random, timeouts, log } = needs;
  let current: Connection | undefined;
  let lastWork: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function ensureConnection(): Promise<Connection> {
    if (isClosed) throw new StoreFailed('the store was closed');
    if (current?.isOpen) return current;
    const connection = await Connection.open(needs);
    try {
      await prepare(connection);
    } catch (error) {
      connection.drop();
      throw error;
    }
    current = connection;
    return connection;
  }

  async function retryUntilDone<T>(purpose: string, work: Work<T>, within: Duration): Promise<T> {
    const began = clock.monotonic();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work(await ensureConnection());
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined) throw error;
        const lasted = clock.monotonic() - began;
        if (!isRetryable(error) || lasted >= within) throw broken(purpose, lasted, error);
        if (fault === 'unanswered' || isReadOnly(error)) current?.drop();
        log.warn('database operation failed, retrying', {
          purpose,
          attempt,
          error: messageOf(error),
        });
      }
      await pause(clock, delayBefore(attempt, random));
    }
  }

  return {
    persist(purpose, work, within = timeouts.write) {
      const result = lastWork.then(() => retryUntilDone(purpose, work, within));
      lastWork = result.catch(() => undefined);
      return result;
    },
    async close() {
      isClosed = true;
      await lastWork;
      await current?.close();
    },
  };
}

function broken(purpose: string, lasted: Duration, cause: unknown): StoreFailed {
  const after = `after ${Math.round(lasted)} ms`;
  return new StoreFailed(`could not ${purpose} ${after}: ${messageOf(cause)}`, { cause });
}
