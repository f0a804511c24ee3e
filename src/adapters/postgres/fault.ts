import pg from 'pg';

/** What an error says about its statement. */
type Fault =
  /** The server rejected it and wrote nothing; a retry would fail again. */
  | 'refused'
  /** The server could not run it now and wrote nothing. */
  | 'put_off'
  /** The server reports that its data is damaged. */
  | 'damaged'
  /** No answer came: it may or may not be written. */
  | 'unanswered';

/**
 * SQLSTATE classes, or single states where a class is mixed. A server reports these before it commits
 * anything. Everything else counts as unanswered, which costs one lookup and is never wrong: a session
 * ended between its commit and its answer reports 57P01, like one ended before.
 */
const FAULTS: readonly (readonly [state: string, fault: Fault])[] = [
  ['0A', 'refused'],
  ['21', 'refused'],
  ['22', 'refused'],
  ['23', 'refused'],
  ['42', 'refused'],
  ['54', 'refused'],
  ['25006', 'put_off'],
  ['40', 'put_off'],
  ['53', 'put_off'],
  ['55', 'put_off'],
  ['57014', 'put_off'],
  ['58030', 'damaged'],
  ['XX001', 'damaged'],
  ['XX002', 'damaged'],
];

/** Undefined for errors that the database did not cause. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof NotReady) return 'put_off';
  if (error instanceof ConnectionLost) return 'unanswered';
  const state = stateOf(error);
  if (state === undefined) return undefined;
  return FAULTS.find(([start]) => state.startsWith(start))?.[1] ?? 'unanswered';
}

/** True when a retry may succeed. A wrong password or a missing database does not fix itself. */
export function isRetryable(error: unknown): boolean {
  const fault = faultOf(error);
  const state = stateOf(error) ?? '';
  if (fault === 'put_off') return true;
  return fault === 'unanswered' && !state.startsWith('28') && !state.startsWith('3D');
}

/** The server has no space. It reports this while it runs a statement; without space to commit it stops. */
export function isDiskFull(error: unknown): boolean {
  return stateOf(error) === '53100';
}

/** The server was the primary once; its successor may have taken over its name. */
export function isReadOnly(error: unknown): boolean {
  return stateOf(error) === '25006';
}

/** The connection broke, or was silent for so long that we count it as broken. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';

  constructor(purpose: string, cause: unknown) {
    super(`the connection to the database was lost (${purpose}): ${messageOf(cause)}`, { cause });
  }
}

/** The server answers but does not accept writes yet: it is a standby, or about to be promoted. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/**
 * Translates a client's error into a fault. An error from the server, or a value that could not be sent
 * or parsed, stays as it is; anything else is the connection.
 */
export function toFault(error: unknown, purpose = 'answer'): unknown {
  const isOwnError =
    error instanceof pg.DatabaseError || error instanceof TypeError || error instanceof RangeError;
  return isOwnError ? error : new ConnectionLost(purpose, error);
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
