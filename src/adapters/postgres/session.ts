import type { Duration } from '../../domain/ids.ts';
import { StoreBroken } from '../../ports/store.ts';
import { delayBefore, pause } from './backoff.ts';
import { Connection } from './connection.ts';
import { faultOf, isReadOnly, mayMend, wordsOf } from './fault.ts';
import type { Needs } from './settings.ts';

/**
 * One connection at a time, made again when it breaks. Its users take turns.
 *
 * Work may be begun several times, each time after the connection under the one before it broke or
 * the server put it off. It must find out by itself what its earlier beginnings have done.
 */
export interface Session {
  persist<T>(purpose: string, work: Work<T>, within?: Duration): Promise<T>;
  /** Lets the work under way come to its end. */
  close(): Promise<void>;
}

type Work<T> = (connection: Connection) => Promise<T>;

export function createSession(
  needs: Needs,
  prepare: (connection: Connection) => Promise<void>,
): Session {
  const { clock, random, patience, log } = needs;
  let current: Connection | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function standing(): Promise<Connection> {
    if (isClosed) throw new StoreBroken('the store was closed');
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

  async function untilDone<T>(purpose: string, work: Work<T>, within: Duration): Promise<T> {
    const began = clock.monotonic();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work(await standing());
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined) throw error;
        const lasted = clock.monotonic() - began;
        if (!mayMend(error) || lasted >= within) throw broken(purpose, lasted, error);
        if (fault === 'unanswered' || isReadOnly(error)) current?.drop();
        log.warn('database did not do it, trying again', {
          purpose,
          attempt,
          error: wordsOf(error),
        });
      }
      await pause(clock, delayBefore(attempt, random));
    }
  }

  return {
    persist(purpose, work, within = patience.write) {
      const turn = lastTurn.then(() => untilDone(purpose, work, within));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      isClosed = true;
      await lastTurn;
      await current?.close();
    },
  };
}

function broken(purpose: string, lasted: Duration, cause: unknown): StoreBroken {
  const after = `after ${Math.round(lasted)} ms`;
  return new StoreBroken(`could not ${purpose} ${after}: ${wordsOf(cause)}`, { cause });
}
