import type { IncomingMessage } from 'node:http';
import type { Route } from '../api/route.ts';
import { type OperationId, ROUTES } from '../api/routes.ts';
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
const CALLS = (['reportRun', 'claimTask', 'sendHeartbeat', 'postTasks'] as const).map(callOf);

function callOf(operation: OperationId) {
  const route: Route = ROUTES[operation];
  const [before = '', after] = route.path.split('{id}');
  return { operation, route, before, after };
}

/** No segment of a path in the route table reads like this. */
const ID = /^[rw]-\d{1,15}$/;

const NO_PARAMS = {};

/**
 * Receives the most frequent calls without a promise between head and body, which takes a tenth off the processor
 * time of a cycle. It applies the rules of the ordinary path and refuses nothing itself: for a request with
 * anything unusual about it, it returns false and has read none of the body.
 */
export function receiveOnShortPath(needs: Needs, exchange: Exchange, receiver: Receiver): boolean {
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
