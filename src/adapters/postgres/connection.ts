import { Socket } from 'node:net';
import pg from 'pg';
import type { Duration } from '../../domain/ids.ts';
import { asFault, wordsOf } from './fault.ts';
import { clientConfig, type Needs } from './settings.ts';

export type Value = string | number | null | readonly (string | number | null)[];
export type Cells = readonly unknown[];

export interface Statement {
  readonly text: string;
  readonly values?: readonly Value[];
  /** A statement with a name is planned once for each connection. At most 63 characters. */
  readonly name?: string;
}

/** Anything that answers statements. */
export interface Asked {
  ask(statement: Statement): Promise<{ readonly rows: readonly Cells[] }>;
}

export interface Answer {
  readonly rows: readonly Cells[];
  /** True when the server did it, but had something to say against it. */
  readonly warned: boolean;
}

/** One connection, from its making to its end. It never raises an error of its own accord. */
export interface Connection extends Asked {
  readonly isOpen: boolean;
  /** Gives the connection up when the server stays silent for too long. */
  ask(statement: Statement, within?: Duration): Promise<Answer>;
  /** Calls back for every notification of a channel that is listened to. */
  onNotification(call: (payload: string) => void): void;
  onEnd(call: () => void): void;
  /** At once, whatever is under way. */
  drop(): void;
  /** After what is under way. */
  close(): Promise<void>;
}

export async function connect(needs: Needs): Promise<Connection> {
  const { clock, patience } = needs;
  // Held here, because the client has no way to drop a connection whose other side is silent.
  const socket = new Socket();
  const client = new pg.Client({ ...clientConfig(needs), stream: () => socket });
  const ended: (() => void)[] = [];
  let isOpen = true;
  let warnings = 0;

  client.on('error', (error) => needs.log.warn('database connection broke', { error: wordsOf(error) }));
  client.on('notice', () => {
    warnings += 1;
  });
  client.on('end', () => {
    isOpen = false;
    for (const call of ended.splice(0)) call();
  });

  async function orGiveUp<T>(what: string, within: Duration, answer: Promise<T>): Promise<T> {
    const timer = clock.after(within, () =>
      socket.destroy(new Error(`silent for ${within} ms`)),
    );
    try {
      return await answer;
    } catch (error) {
      throw asFault(error, what);
    } finally {
      timer.cancel();
    }
  }

  try {
    await orGiveUp('connect', patience.connect, client.connect());
  } catch (error) {
    socket.destroy();
    throw error;
  }

  return {
    get isOpen() {
      return isOpen && !socket.destroyed;
    },
    async ask({ text, values = [], name }, within = patience.answer) {
      const before = warnings;
      const query = { text, values: [...values], rowMode: 'array' as const, ...(name && { name }) };
      const { rows } = await orGiveUp('answer', within, client.query<unknown[]>(query));
      return { rows, warned: warnings > before };
    },
    onNotification(call) {
      client.on('notification', ({ payload }) => call(payload ?? ''));
    },
    onEnd(call) {
      ended.push(call);
    },
    drop() {
      socket.destroy();
    },
    async close() {
      await orGiveUp('close', patience.connect, client.end());
    },
  };
}
