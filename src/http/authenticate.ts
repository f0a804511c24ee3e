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
  | { readonly shut: 'unknown' }
  | { readonly shut: 'dismissed'; readonly worker: Worker['id']; readonly because: string }
  | { readonly shut: 'not asked for'; readonly named: string };

export function isAuthenticationFailure(
  found: Caller | AuthenticationFailure,
): found is AuthenticationFailure {
  return 'shut' in found;
}

/** The prefix of worker tokens. */
export const WORKER_TOKEN = 'ghw_';

export const HOW_TO_ENABLE_TOKENS =
  'set hall.auth.mode to tokens in the configuration and start the hall again';

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
  const own = auth.mode === 'none' ? null : auth.token;
  if (own !== null) remember(hashOf(own), { caller: { kind: 'operator', name: 'local' } });
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

  function callerOf(asked: string, holder: Holder): Caller | AuthenticationFailure {
    if ('caller' in holder) return holder.caller;
    if ('worker' in holder) {
      const { worker: id } = holder;
      const worker = board.workers.get(id);
      return worker ? workerWith(asked, worker) : goneWorker(id, dismissed.get(id));
    }
    const token = board.tokens.get(holder.named);
    if (!token || !isSame(asked, token.hash)) return UNKNOWN;
    return auth.mode === 'tokens'
      ? callerWith(token)
      : { shut: 'not asked for', named: token.name };
  }

  return {
    authenticate(token) {
      const asked = hashOf(token);
      const holder = holders.get(asked);
      return holder ? callerOf(asked, holder) : UNKNOWN;
    },
  };
}

const UNKNOWN: AuthenticationFailure = { shut: 'unknown' };
const MAX_FORGOTTEN = 1_000;

function workerWith(asked: string, { id, tokenHash }: Worker): Caller | AuthenticationFailure {
  return isSame(asked, tokenHash) ? { kind: 'worker', worker: id } : UNKNOWN;
}

function goneWorker(worker: Worker['id'], because: string | undefined): AuthenticationFailure {
  return because === undefined ? UNKNOWN : { shut: 'dismissed', worker, because };
}

function callerWith({ name, role }: Token): Caller {
  return { kind: role === 'worker' ? 'joiner' : role, name };
}

function isSame(asked: string, known: string): boolean {
  return asked.length === known.length && timingSafeEqual(Buffer.from(asked), Buffer.from(known));
}
