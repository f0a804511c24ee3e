import pg from 'pg';

/** What an error says about the statement that met it. */
type Fault =
  /** The server found it wrong and wrote nothing; it would be wrong again. */
  | 'refused'
  /** The server could not do it now and wrote nothing. */
  | 'put_off'
  /** The server says that what it stores is damaged. */
  | 'damaged'
  /** The answer never came: it may be written or not. */
  | 'unanswered';

/**
 * Classes of SQLSTATE, or single states where a class is mixed. A server reports these before it has
 * committed anything. Everything else counts as unanswered, which costs one look and is never wrong:
 * a session that is ended between its commit and its answer says 57P01, as one ended before does.
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

/** Undefined for what is no fault of the database. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof NotReady) return 'put_off';
  if (error instanceof ConnectionLost) return 'unanswered';
  const state = stateOf(error);
  if (state === undefined) return undefined;
  return FAULTS.find(([start]) => state.startsWith(start))?.[1] ?? 'unanswered';
}

/** True when it is worth to try again. A wrong password or a missing database does not mend by itself. */
export function isRetryable(error: unknown): boolean {
  const fault = faultOf(error);
  const state = stateOf(error) ?? '';
  if (fault === 'put_off') return true;
  return fault === 'unanswered' && !state.startsWith('28') && !state.startsWith('3D');
}

/** The server was the primary once, and is none any more; its successor may have taken its name. */
export function isReadOnly(error: unknown): boolean {
  return stateOf(error) === '25006';
}

/** The wire broke, or stayed silent for so long that it must be broken. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';

  constructor(purpose: string, cause: unknown) {
    super(`the connection to the database was lost (${purpose}): ${messageOf(cause)}`, { cause });
  }
}

/** The server answers, but may not be written to yet: it is a standby, or about to stop being one. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/**
 * What a client threw, as a fault. A server's own word stays what it is, and so does a value that
 * could not be sent or understood; anything else is the wire.
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
