import { delayBefore, pause } from './backoff.ts';
import { type Connection, connect } from './connection.ts';
import { faultOf, wordsOf } from './fault.ts';
import type { Needs } from './settings.ts';

export const CHANNEL = 'guildhall_moved';

/** Tells when the log may have moved. */
export interface Listener {
  onMove(wake: () => void): { stop(): void };
  close(): Promise<void>;
}

/**
 * A connection that listens, beside a slow poll that does not need it: a network that forgot the
 * connection tells neither side.
 */
export function createListener(needs: Needs): Listener {
  const { clock, random, patience, log } = needs;
  const wakes = new Map<symbol, () => void>();
  let current: Connection | undefined;
  let listening: Promise<void> | undefined;
  let timer: { cancel(): void } | undefined;
  let isProbed = false;
  let isClosed = false;

  function wakeAll(): void {
    for (const wake of wakes.values()) wake();
  }

  async function listen(connection: Connection): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      connection.onEnd(resolve);
    });
    connection.onNotification(wakeAll);
    await connection.ask({ text: `LISTEN ${CHANNEL}` });
    current = connection;
    // What moved while nobody listened was told to nobody.
    wakeAll();
    if (!isClosed) await ended;
    connection.drop();
  }

  async function keepListening(): Promise<void> {
    for (let attempt = 0; !isClosed; attempt += 1) {
      const began = clock.monotonic();
      try {
        await listen(await connect(needs));
      } catch (error) {
        if (faultOf(error) === undefined) throw error;
        log.warn('database cannot be listened to', { attempt, error: wordsOf(error) });
      }
      if (clock.monotonic() - began > patience.connect) attempt = 0;
      if (!isClosed) await pause(clock, delayBefore(attempt, random));
    }
  }

  function poll(): void {
    wakeAll();
    if (current?.isOpen && !isProbed) void probe(current);
    timer = clock.after(patience.poll, poll);
  }

  /** Asking is what finds out that the other side is gone: one that only listens waits for ever. */
  async function probe(connection: Connection): Promise<void> {
    isProbed = true;
    try {
      await connection.ask({ text: 'SELECT 1' }, patience.connect);
    } catch (error) {
      connection.drop();
      log.warn('database cannot be listened to', { error: wordsOf(error) });
    } finally {
      isProbed = false;
    }
  }

  return {
    onMove(wake) {
      const key = Symbol();
      wakes.set(key, wake);
      listening ??= keepListening();
      timer ??= clock.after(patience.poll, poll);
      return { stop: () => wakes.delete(key) };
    },
    async close() {
      isClosed = true;
      timer?.cancel();
      current?.drop();
      await listening;
    },
  };
}
