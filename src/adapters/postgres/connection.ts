import { Socket } from 'node:net';
import pg from 'pg';
import type { Duration } from '../../domain/ids.ts';
import { messageOf, toFault } from './fault.ts';
import { clientConfig, type Needs } from './settings.ts';

/** A buffer is sent unchanged, in the binary form of its type. */
export type Value = string | number | null | readonly (string | number | null)[] | Buffer;
export type Cells = readonly unknown[];

export interface Statement {
  readonly text: string;
  readonly values?: readonly Value[];
  /** A named statement is planned once per connection. At most 63 characters. */
  readonly name?: string;
}

/** Anything that runs statements. */
export interface Queryable {
  query(statement: Statement): Promise<{ readonly rows: readonly Cells[] }>;
}

interface QueryResult {
  readonly rows: readonly Cells[];
  /** True when the server succeeded with a warning. */
  readonly warned: boolean;
}

/**
 * The same statement runs again and again with arrays of different lengths. The server prefers to
 * replan short ones each time, which takes longer than running them.
 */
const GENERIC_PLANS = { plan_cache_mode: 'force_generic_plan' };

/** One connection, from start to end. It never emits an unhandled error. */
export class Connection implements Queryable {
  readonly #needs: Needs;
  readonly #client: pg.Client;
  /** Kept here, because the client cannot drop a connection whose other side is silent. */
  readonly #socket = new Socket();
  readonly #whenEnded: (() => void)[] = [];
  #hasEnded = false;
  #notices = 0;

  private constructor(needs: Needs) {
    this.#needs = needs;
    this.#client = new pg.Client({
      ...clientConfig(needs, GENERIC_PLANS),
      stream: () => this.#socket,
    });
    this.#client.on('error', (error) =>
      needs.log.warn('database connection broke', { error: messageOf(error) }),
    );
    this.#client.on('notice', () => {
      this.#notices += 1;
    });
    this.#client.on('end', () => {
      this.#hasEnded = true;
      for (const call of this.#whenEnded) call();
    });
  }

  static async open(needs: Needs): Promise<Connection> {
    const connection = new Connection(needs);
    try {
      const connected = connection.#client.connect();
      await connection.#withTimeout('connect', needs.timeouts.connect, connected);
      return connection;
    } catch (error) {
      connection.drop();
      throw error;
    }
  }

  get isOpen(): boolean {
    return !this.#hasEnded && !this.#socket.destroyed;
  }

  /** Gives up the connection when the server stays silent for too long. */
  async query(
    { text, values = [], name }: Statement,
    within: Duration = this.#needs.timeouts.answer,
  ): Promise<QueryResult> {
    const before = this.#notices;
    const config = { text, values: [...values], rowMode: 'array' as const, ...(name && { name }) };
    const result = this.#client.query<unknown[]>(config);
    const { rows } = await this.#withTimeout('answer', within, result);
    return { rows, warned: this.#notices > before };
  }

  onNotification(call: () => void): void {
    this.#client.on('notification', call);
  }

  onEnd(call: () => void): void {
    this.#whenEnded.push(call);
  }

  /** Drops the connection at once, even during a statement. */
  drop(): void {
    this.#socket.destroy();
  }

  /** Closes after the statements in progress. */
  async close(): Promise<void> {
    await this.#withTimeout('close', this.#needs.timeouts.connect, this.#client.end());
  }

  async #withTimeout<T>(what: string, within: Duration, result: Promise<T>): Promise<T> {
    const timer = this.#needs.clock.after(within, () =>
      this.#socket.destroy(new Error(`no response for ${within} ms`)),
    );
    try {
      return await result;
    } catch (error) {
      throw toFault(error, what);
    } finally {
      timer.cancel();
    }
  }
}
