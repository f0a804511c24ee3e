import { delayBefore, pause } from './backoff.ts';
import { Connection } from './connection.ts';
import { faultOf, messageOf } from './fault.ts';
import type { Needs } from './settings.ts';

export const CHANNEL = 'guildhall_moved';

/**
 * Signals that the log may have moved: through a listening connection, and independently through a slow
 * poll. A network that drops the connection tells neither side.
 */
export class Listener {
  readonly #needs: Needs;
  readonly #wakes = new Map<symbol, () => void>();
  #connection: Connection | undefined;
  #listening: Promise<void> | undefined;
  #timer: { cancel(): void } | undefined;
  #isPinging = false;
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
    const { clock, random, timeouts, log } = this.#needs;
    for (let attempt = 0; !this.#isClosed; attempt += 1) {
      const began = clock.monotonic();
      try {
        await this.#listen(await Connection.open(this.#needs));
      } catch (error) {
        if (faultOf(error) === undefined) throw error;
        log.warn('cannot listen to the database', { attempt, error: messageOf(error) });
      }
      if (clock.monotonic() - began > timeouts.connect) attempt = 0;
      if (!this.#isClosed) await pause(clock, delayBefore(attempt, random));
    }
  }

  async #listen(connection: Connection): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      connection.onEnd(resolve);
    });
    connection.onNotification(() => this.#wakeAll());
    await connection.query({ text: `LISTEN ${CHANNEL}` });
    this.#connection = connection;
    // Moves before LISTEN sent no notification here.
    this.#wakeAll();
    if (!this.#isClosed) await ended;
    connection.drop();
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.values()) wake();
  }

  #pollLater(): { cancel(): void } {
    return this.#needs.clock.after(this.#needs.timeouts.poll, () => {
      this.#wakeAll();
      if (this.#connection?.isOpen && !this.#isPinging) void this.#ping(this.#connection);
      this.#timer = this.#pollLater();
    });
  }

  /** Only a query detects that the other side is gone: a connection that only listens waits for ever. */
  async #ping(connection: Connection): Promise<void> {
    this.#isPinging = true;
    try {
      await connection.query({ text: 'SELECT 1' }, this.#needs.timeouts.connect);
    } catch (error) {
      connection.drop();
      this.#needs.log.warn('cannot listen to the database', { error: messageOf(error) });
    } finally {
      this.#isPinging = false;
    }
  }
}
