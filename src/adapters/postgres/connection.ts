import { Socket } from 'node:net';
import pg from 'pg';
import type { Duration } from '../../domain/ids.ts';
import { messageOf, toFault } from './fault.ts';
import { clientConfig, type Needs } from './settings.ts';

/** A buffer is sent as it is, in the binary form of its type. */
export type Value = string | number | null | readonly (string | number | null)[] | Buffer;
export type Cells = readonly unknown[];

export interface Statement {
  readonly text: string;
  readonly values?: readonly Value[];
  /** A statement with a name is planned once for each connection. At most 63 characters. */
  readonly name?: string;
}

/** Anything that answers statements. */
export interface Queryable {
  query(statement: Statement): Promise<{ readonly rows: readonly Cells[] }>;
}

interface QueryResult {
  readonly rows: readonly Cells[];
  /** True when the server did it, but had something to say against it. */
  readonly warned: boolean;
}

/**
 * The same statement over and over, whose arrays differ in length: planning it anew each time, as
 * the server likes to for short ones, takes longer than running it.
 */
const GENERIC_PLANS = { plan_cache_mode: 'force_generic_plan' };

/** One connection, from its making to its end. It never raises an error of its own accord. */
export class Connection implements Queryable {
  readonly #needs: Needs;
  readonly #client: pg.Client;
  /** Held here, because the client has no way to drop a connection whose other side is silent. */
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

  /** Gives the connection up when the server stays silent for too long. */
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

  /** At once, whatever is under way. */
  drop(): void {
    this.#socket.destroy();
  }

  /** After what is under way. */
  async close(): Promise<void> {
    await this.#withTimeout('close', this.#needs.timeouts.connect, this.#client.end());
  }

  async #withTimeout<T>(what: string, within: Duration, result: Promise<T>): Promise<T> {
    const timer = this.#needs.clock.after(within, () =>
      this.#socket.destroy(new Error(`silent for ${within} ms`)),
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
