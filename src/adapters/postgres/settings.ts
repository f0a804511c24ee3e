import type { ClientConfig } from 'pg';
import pg from 'pg';
import type { Duration } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

/** What everything in this folder is given. */
export interface Needs {
  readonly url: string;
  readonly clock: Clock;
  /** Between 0 and 1, for delays that nodes must not share. */
  readonly random: () => number;
  readonly log: Log;
  readonly timeouts: Timeouts;
  readonly readers: number;
}

/** How long to wait for what. */
export interface Timeouts {
  /** For the database to be there when the hall starts. */
  readonly open: Duration;
  /** For a connection to stand. */
  readonly connect: Duration;
  /** For the lock of a row or a table. */
  readonly lock: Duration;
  /** For the server to work on one statement. */
  readonly statement: Duration;
  /** For any word of the server; after that the connection is given up. Longer than `statement`. */
  readonly answer: Duration;
  /** For a free reader, and for a reading to succeed when the server went away under it. */
  readonly read: Duration;
  /** For a writing to be known as done or not done; then the store counts as broken. */
  readonly write: Duration;
  /** Between two calls without reason, should the word that the log moved get lost. */
  readonly poll: Duration;
}

export const TIMEOUTS: Timeouts = {
  open: 30_000,
  connect: 5_000,
  lock: 5_000,
  statement: 10_000,
  answer: 15_000,
  read: 10_000,
  write: 120_000,
  poll: 2_000,
};

/**
 * A node that vanishes must not keep its locks for the two hours that TCP waits by itself.
 *
 * Everything is found by key, and a plan that was made while a table was empty must not read all of
 * it later. Compiling a plan takes longer than any of them runs.
 */
const SERVER_SETTINGS = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  enable_seqscan: 'off',
  jit: 'off',
};

const INT8 = 20;

export function clientConfig(
  { url, timeouts }: Needs,
  more: Readonly<Record<string, string>> = {},
): ClientConfig {
  return {
    connectionString: url,
    application_name: 'guildhall',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: timeouts.statement,
    lock_timeout: timeouts.lock,
    idle_in_transaction_session_timeout: timeouts.answer,
    options: Object.entries({ ...SERVER_SETTINGS, ...more })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: { getTypeParser },
  };
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 ? wholeNumber : pg.types.getTypeParser(oid, format);
}

/** A number that JavaScript cannot hold exactly would come back as its neighbour. */
export function wholeNumber(digits: string): number {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(
    `the database holds ${digits}, which is past the numbers the hall can count with`,
  );
}
