import type { IncomingMessage } from 'node:http';
import { ROUTES } from '../api/routes.ts';
import type { Auth, Authenticator } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { collectBody, MAX_BYTES } from './body.ts';
import type { Caller } from './caller.ts';
import type { Exchange } from './exchange.ts';
import { isProblem, type Refused } from './problem.ts';
import type { Match } from './router.ts';

interface Needs {
  readonly auth: Auth;
  readonly authenticator: Authenticator;
  readonly checkHost: (request: IncomingMessage) => Refused | undefined;
}

/** A request that may be made, with its whole body. */
export interface ReceivedRequest {
  readonly exchange: Exchange;
  readonly match: Match;
  readonly caller: Caller;
  readonly body: Buffer | Refused;
}

interface Receiver {
  readonly received: (request: ReceivedRequest) => void;
  readonly failed: (fault: Error) => void;
}

/** The calls that workers make for every task, and the post of one. */
const CALLS = (['reportRun', 'claimTask', 'sendHeartbeat', 'postTasks'] as const).map(
  (operation) => {
    const { path, ...route } = ROUTES[operation];
    const [before = path, after] = path.split('{id}');
    return { operation, route: { ...route, path }, before, after };
  },
);

/** No segment of a path in the route table reads like this. */
const ID = /^[rw]-\d{1,15}$/;

const NO_PARAMS = {};

/**
 * A short way from the first byte to the body for the most frequent calls, without a promise on it: a cycle takes
 * about a tenth less processor time. It uses the rules of the ordinary way and refuses nothing. It returns false
 * for a request with anything unusual about it, of which nothing was read then.
 */
export function receiveShortly(needs: Needs, exchange: Exchange, receiver: Receiver): boolean {
  const { request } = exchange;
  const match = matchOf(exchange);
  if (!match) return false;
  const most = match.route.mostBytes ?? MAX_BYTES;
  if (!hasPlainBody(request, most) || needs.checkHost(request)) return false;
  const caller = authorize(request, match.route.policy, needs);
  if (isProblem(caller)) return false;
  const done = (body: Buffer | Refused) => receiver.received({ exchange, match, caller, body });
  collectBody(request, most, done, receiver.failed);
  return true;
}

function matchOf({ method, path, search }: Exchange): Match | undefined {
  if (search !== '') return undefined;
  for (const { operation, route, before, after } of CALLS) {
    if (method !== route.method) continue;
    if (path === before)
      return after === undefined ? { operation, route, params: NO_PARAMS } : undefined;
    if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) continue;
    const id = path.slice(before.length, path.length - after.length);
    return ID.test(id) ? { operation, route, params: { id } } : undefined;
  }
  return undefined;
}

function hasPlainBody({ headers }: IncomingMessage, most: number): boolean {
  const length = Number(headers['content-length']);
  if (headers['content-type'] !== 'application/json' || !(length > 0 && length <= most))
    return false;
  return headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined;
}
