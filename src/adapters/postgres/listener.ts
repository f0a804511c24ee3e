import { delayBefore, pause } from './backoff.ts';
import { Connection } from './connection.ts';
import { faultOf, wordsOf } from './fault.ts';
import type { Needs } from './settings.ts';

export const CHANNEL = 'guildhall_moved';

/**
 * Tells when the log may have moved: by a connection that listens, and beside it by a slow poll that
 * does not need it. A network that forgot the connection tells neither side.
 */
export class Listener {
  readonly #needs: Needs;
  readonly #wakes = new Map<symbol, () => void>();
  #connection: Connection | undefined;
  #listening: Promise<void> | undefined;
  #timer: { cancel(): void } | undefined;
  #isAsking = false;
  #isClosed = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  onMove(wake: () => void): { stop(): void } {
    const key = Symbol();
    this.#wakes.set(key, wake);
    this.#listening ??= this.#keepListening();
    this.#timer ??= this.#pollLater();
    return { stop: () => this.#wakes.delete(key) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#connection?.drop();
    await this.#listening;
  }

  async #keepListening(): Promise<void> {
    const { clock, random, patience, log } = this.#needs;
    for (let attempt = 0; !this.#isClosed; attempt += 1) {
      const began = clock.monotonic();
      try {
        await this.#listen(await Connection.open(this.#needs));
      } catch (error) {
        if (faultOf(error) === undefined) throw error;
        log.warn('database cannot be listened to', { attempt, error: wordsOf(error) });
      }
      if (clock.monotonic() - began > patience.connect) attempt = 0;
      if (!this.#isClosed) await pause(clock, delayBefore(attempt, random));
    }
  }

  async #listen(connection: Connection): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      connection.onEnd(resolve);
    });
    connection.onNotification(() => this.#wakeAll());
    await connection.ask({ text: `LISTEN ${CHANNEL}` });
    this.#connection = connection;
    // What moved while nobody listened was told to nobody.
    this.#wakeAll();
    if (!this.#isClosed) await ended;
    connection.drop();
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.values()) wake();
  }

  #pollLater(): { cancel(): void } {
    return this.#needs.clock.after(this.#needs.patience.poll, () => {
      this.#wakeAll();
      if (this.#connection?.isOpen && !this.#isAsking) void this.#ask(this.#connection);
      this.#timer = this.#pollLater();
    });
  }

  /** Asking is what finds out that the other side is gone: one that only listens waits for ever. */
  async #ask(connection: Connection): Promise<void> {
    this.#isAsking = true;
    try {
      await connection.ask({ text: 'SELECT 1' }, this.#needs.patience.connect);
    } catch (error) {
      connection.drop();
      this.#needs.log.warn('database cannot be listened to', { error: wordsOf(error) });
    } finally {
      this.#isAsking = false;
    }
  }
}
