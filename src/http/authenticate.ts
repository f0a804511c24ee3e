import { hash, timingSafeEqual } from 'node:crypto';
import type { Hall } from '../board/hall.ts';
import type { Recorded } from '../domain/event.ts';
import type { Token } from '../domain/token.ts';
import type { Worker } from '../domain/worker.ts';
import type { Caller } from './caller.ts';

export type Auth =
  /** One operator, with the token made at the first start; named tokens are not accepted. */
  | { readonly mode: 'local'; readonly token: string }
  /** Named tokens, and the operator's own token if there is one. */
  | { readonly mode: 'tokens'; readonly token: string | null }
  | { readonly mode: 'none' };

export interface Authenticator {
  /** The owner of a token, or why it is not accepted. */
  authenticate(token: string): Caller | AuthenticationFailure;
}

/** Why a token is not accepted, as far as the hall remembers. */
export type AuthenticationFailure =
  | { readonly reason: 'unknown' }
  | { readonly reason: 'dismissed'; readonly worker: Worker['id']; readonly because: string }
  | { readonly reason: 'named tokens off'; readonly name: string };

export function isAuthenticationFailure(
  found: Caller | AuthenticationFailure,
): found is AuthenticationFailure {
  return 'reason' in found;
}

/** The prefix of worker tokens. */
export const WORKER_TOKEN = 'ghw_';

export const HOW_TO_ENABLE_TOKENS =
  'set hall.auth.mode to tokens in the configuration and restart the hall';

export function hashOf(token: string): string {
  return hash('sha256', token);
}

type Holder =
  | { readonly worker: Worker['id'] }
  | { readonly named: string }
  | { readonly caller: Caller };

/**
 * Looks tokens up by hash, then checks the row behind it: a revoked token or dismissed worker is
 * refused, whatever this map still holds.
 */
export function createAuthenticator(hall: Hall, auth: Auth): Authenticator {
  const { board } = hall;
  const holders = new Map<string, Holder>();
  const dismissed = new Map<Worker['id'], string>();
  for (const worker of board.workers.values()) remember(worker.tokenHash, { worker: worker.id });
  for (const { hash: known, name } of board.tokens.values()) remember(known, { named: name });
  const operatorToken = auth.mode === 'none' ? null : auth.token;
  if (operatorToken !== null)
    remember(hashOf(operatorToken), { caller: { kind: 'operator', name: 'local' } });
  hall.subscribe((events) => {
    for (const recorded of events) follow(recorded);
  });

  function remember(known: string, holder: Holder): void {
    holders.set(known, holder);
  }

  function follow({ event }: Recorded): void {
    if (event.type === 'WorkerRegistered') {
      remember(event.worker.tokenHash, { worker: event.worker.id });
    } else if (event.type === 'TokenCreated') {
      remember(event.token.hash, { named: event.token.name });
    } else if (event.type === 'WorkerDeregistered' || event.type === 'TokenRevoked') {
      if (event.type === 'WorkerDeregistered') dismissed.set(event.worker, event.because);
      if (holders.size > MAX_FORGOTTEN + 2 * (board.workers.size + board.tokens.size)) sweep();
    }
  }

  function sweep(): void {
    for (const [known, holder] of holders) {
      if (isAuthenticationFailure(callerOf(known, holder))) holders.delete(known);
    }
    dismissed.clear();
  }

  function callerOf(tokenHash: string, holder: Holder): Caller | AuthenticationFailure {
    if ('caller' in holder) return holder.caller;
    if ('worker' in holder) {
      const { worker: id } = holder;
      const worker = board.workers.get(id);
      return worker ? workerWith(tokenHash, worker) : dismissedWorker(id, dismissed.get(id));
    }
    const token = board.tokens.get(holder.named);
    if (!token || !isSame(tokenHash, token.hash)) return UNKNOWN;
    return auth.mode === 'tokens'
      ? callerWith(token)
      : { reason: 'named tokens off', name: token.name };
  }

  return {
    authenticate(token) {
      const tokenHash = hashOf(token);
      const holder = holders.get(tokenHash);
      return holder ? callerOf(tokenHash, holder) : UNKNOWN;
    },
  };
}

const UNKNOWN: AuthenticationFailure = { reason: 'unknown' };
const MAX_FORGOTTEN = 1_000;

function workerWith(hashed: string, { id, tokenHash }: Worker): Caller | AuthenticationFailure {
  return isSame(hashed, tokenHash) ? { kind: 'worker', worker: id } : UNKNOWN;
}

function dismissedWorker(worker: Worker['id'], because: string | undefined): AuthenticationFailure {
  return because === undefined ? UNKNOWN : { reason: 'dismissed', worker, because };
}

function callerWith({ name, role }: Token): Caller {
  return { kind: role === 'worker' ? 'joiner' : role, name };
}

function isSame(hashed: string, known: string): boolean {
  return hashed.length === known.length && timingSafeEqual(Buffer.from(hashed), Buffer.from(known));
}
