import type { IncomingMessage } from 'node:http';
import type { Policy } from '../api/route.ts';
import { nameOf, type WorkerId } from '../domain/ids.ts';
import {
  type Auth,
  type AuthenticationFailure,
  type Authenticator,
  HOW_TO_ENABLE_TOKENS,
  isAuthenticationFailure,
  WORKER_TOKEN,
} from './authenticate.ts';
import { ANYONE, type Caller } from './caller.ts';
import { problem, type Refused } from './problem.ts';

type Kind = Caller['kind'];

/** The callers each policy accepts. An accepted worker is still limited to what is its own. */
const ALLOWED_CALLERS = {
  anyone: ['operator', 'viewer', 'joiner', 'worker'],
  webhook: ['operator', 'viewer', 'joiner', 'worker'],
  viewer: ['operator', 'viewer'],
  viewer_or_worker: ['operator', 'viewer', 'worker'],
  operator: ['operator'],
  operator_or_worker: ['operator', 'worker'],
  join: ['operator', 'joiner'],
  worker: ['worker'],
} as const satisfies Record<Policy, readonly Kind[]>;

/** The caller, or why the request is refused. Decided before reading any of the body. */
export function authorize(
  request: IncomingMessage,
  policy: Policy,
  { auth, authenticator }: { readonly auth: Auth; readonly authenticator: Authenticator },
): Caller | Refused {
  if (auth.mode === 'none' || policy === 'anyone' || policy === 'webhook') return ANYONE;
  const token = bearerIn(request.headers.authorization);
  if (token === undefined) {
    return problem('unauthenticated', NO_TOKEN, CHALLENGE);
  }
  const caller = authenticator.authenticate(token);
  if (isAuthenticationFailure(caller)) return refuseToken(caller, token);
  const kinds: readonly Kind[] = ALLOWED_CALLERS[policy];
  if (kinds.includes(caller.kind)) return caller;
  return problem(
    'forbidden',
    `only ${ALLOWED_NAMES[policy]} may do this; this is ${describeToken(caller)}`,
  );
}

function refuseToken(failure: AuthenticationFailure, token: string): Refused {
  switch (failure.reason) {
    case 'dismissed':
      return problem(
        'worker_dismissed',
        dismissedDetail(failure.worker, failure.because),
        BAD_TOKEN,
      );
    case 'named tokens off': {
      const detail = `token "${failure.name}" is not accepted while auth.mode is local; ${HOW_TO_ENABLE_TOKENS}`;
      return problem('unauthenticated', detail, BAD_TOKEN);
    }
    case 'unknown': {
      const hint = token.startsWith(WORKER_TOKEN)
        ? `; a dismissed worker must ${REGISTER_AGAIN}`
        : '';
      const detail = `the token is unknown or was revoked${hint}`;
      return problem('unauthenticated', detail, BAD_TOKEN);
    }
  }
}

function dismissedDetail(worker: WorkerId, because: string): string {
  const name = nameOf('worker', worker);
  return `${name} was dismissed (${because}) and no longer holds a task; it must ${REGISTER_AGAIN}`;
}

const REGISTER_AGAIN = 'register again with POST /v1/workers';

/** On a route about one worker, only that worker; `id` comes from the path. */
export function isOwnPath(caller: Caller, id: string | undefined): boolean {
  return caller.kind !== 'worker' || id === nameOf('worker', caller.worker);
}

const NO_TOKEN =
  "send a token as Authorization: Bearer …; the operator's own token is in the file named token in the hall's data folder";
const CHALLENGE = { headers: ['WWW-Authenticate', 'Bearer realm="guildhall"'] };
const BAD_TOKEN = {
  headers: ['WWW-Authenticate', 'Bearer realm="guildhall", error="invalid_token"'],
};

const ALLOWED_NAMES = {
  anyone: 'anyone',
  webhook: 'the forge',
  viewer: 'viewers and operators',
  viewer_or_worker: 'viewers, operators and workers',
  operator: 'operators',
  operator_or_worker: 'operators and the worker itself',
  join: 'operators and tokens with the role worker',
  worker: 'the worker itself',
} as const satisfies Record<Policy, string>;

function bearerIn(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 512) return undefined;
  if (header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return header.slice(7).trim() || undefined;
}

function describeToken(caller: Caller): string {
  if (caller.kind === 'worker') return `the token of ${nameOf('worker', caller.worker)}`;
  if (caller.kind === 'joiner') return 'a token with the role worker';
  return caller.kind === 'operator' ? "an operator's token" : "a viewer's token";
}
