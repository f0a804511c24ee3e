import type { ClientConfig } from 'pg';
import pg from 'pg';
import type { Duration } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

/** The dependencies of everything in this folder. */
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
  /** For the database to become available when the hall starts. */
  readonly open: Duration;
  /** For a connection to open. */
  readonly connect: Duration;
  /** For a row or table lock. */
  readonly lock: Duration;
  /** For the server to run one statement. */
  readonly statement: Duration;
  /** For any answer from the server; then the connection is given up. Longer than `statement`. */
  readonly answer: Duration;
  /** For a free reader, and for a read to succeed after the server went away during it. */
  readonly read: Duration;
  /** For the outcome of a write to be known; then the store counts as broken. */
  readonly write: Duration;
  /** Between two polls, in case a notification gets lost. */
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
 * A node that vanishes must not keep its locks for the two hours that TCP waits by default.
 *
 * Every lookup is by key, and a plan made while a table was empty must not scan all of it later.
 * Compiling a plan takes longer than running it.
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

/** A number that JavaScript cannot represent exactly would come back as its neighbour. */
export function wholeNumber(digits: string): number {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`the database holds ${digits}, which is too large for a JavaScript number`);
}
