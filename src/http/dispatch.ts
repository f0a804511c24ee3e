import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '../api/route.ts';
import type { OperationId } from '../api/routes.ts';
import type { Hall } from '../board/hall.ts';
import type { KnownSecrets } from '../board/known-secrets.ts';
import { NotLeading } from '../board/leader.ts';
import type { SecretStore } from '../board/secret-store.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import { LeadershipLost, StoreFailed, StoreFull, StoreUnavailable } from '../ports/store.ts';
import type { Auth, Authenticator } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { MAX_BYTES, RequestAborted, readBody } from './body.ts';
import { actorOf, type Caller } from './caller.ts';
import { createExchanges, type Exchange } from './exchange.ts';
import { FORWARDED_HEADER, type ForwardedResponse, type Forwarder } from './forward-to-leader.ts';
import type { Gateway } from './gateway/gateway.ts';
import { isForGateway } from './gateway/parse-call.ts';
import type { GitGateway } from './git/git-gateway.ts';
import { isForGit } from './git/parse-call.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { isProblem, problem, type Refused } from './problem.ts';
import { receiveSecrets } from './receive-secrets.ts';
import {
  type OperationHandler,
  type Operations,
  type RequestContext,
  STREAMED,
} from './request-context.ts';
import { createRouter, type Match } from './router.ts';
import { Semaphore } from './semaphore.ts';
import { type Answer, send, sendForwarded } from './send.ts';
import { type ReceivedRequest, receiveOnShortPath } from './short-path.ts';
import { readInput } from './validate-request.ts';
import type { ReceiveWebhook } from './webhooks/receive-webhook.ts';

interface Needs {
  readonly hall: Hall;
  readonly auth: Auth;
  readonly authenticator: Authenticator;
  readonly operations: Operations;
  readonly forwarder: Forwarder;
  readonly gateway: Gateway;
  readonly gitGateway: GitGateway;
  readonly receiveWebhook: ReceiveWebhook;
  readonly checkHost: (request: IncomingMessage) => Refused | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly known: KnownSecrets;
  readonly secretStore: SecretStore;
}

interface DispatchedRequest {
  readonly exchange: Exchange;
  readonly match: Match;
  readonly caller: Caller;
  readonly body: Buffer;
  readonly key: string | undefined;
}

const MAX_UNKNOWN_CALLERS = 64;

type Response = Answer | ForwardedResponse | typeof STREAMED;

/** Handles every request: authorization, input, operation and answer. */
export class RequestDispatcher {
  readonly #needs: Needs;
  readonly #findRoute = createRouter();
  readonly #exchangeOf = createExchanges();
  readonly #unknownCallers = new Semaphore(MAX_UNKNOWN_CALLERS);
  #stopping = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const started = this.#needs.hall.clock.monotonic();
    const exchange = this.#exchangeOf(request, response);
    const failed = (fault: unknown) => this.#failed(exchange, fault);
    const received = (sent: ReceivedRequest) => {
      this.#serveBody(sent)
        .then((answer) => this.#finish(exchange, answer, sent.match, started))
        .catch(failed);
    };
    if (receiveOnShortPath(this.#needs, exchange, { received, failed })) return;
    this.#answer(exchange, started).catch(failed);
  }

  stop(): void {
    this.#stopping = true;
  }

  async #answer(exchange: Exchange, started: number): Promise<void> {
    const { hall, metrics, checkHost } = this.#needs;
    const hostProblem = checkHost(exchange.request);
    if (!hostProblem && isForGateway(exchange.path)) {
      const status = await this.#needs.gateway.answer(exchange);
      const seconds = (hall.clock.monotonic() - started) / 1000;
      metrics.recordRequest({ operation: 'gateway', status, seconds });
      return;
    }
    if (!hostProblem && isForGit(exchange.path)) {
      const status = await this.#needs.gitGateway.answer(exchange);
      const seconds = (hall.clock.monotonic() - started) / 1000;
      metrics.recordRequest({ operation: 'git', status, seconds });
      return;
    }
    const found = hostProblem ? undefined : this.#findRoute(exchange.method, exchange.path);
    const match = found && 'route' in found ? found : undefined;
    const allow = found && 'allow' in found ? found.allow : undefined;
    const answer = match
      ? await this.#serve(exchange, match)
      : (hostProblem ?? withoutRoute(exchange, allow));
    this.#finish(exchange, answer, match, started);
  }

  #finish(exchange: Exchange, answer: Response, match: Match | undefined, started: number): void {
    if (answer === STREAMED) return;
    const { hall, metrics } = this.#needs;
    const { request, response, id } = exchange;
    const status =
      'forwarded' in answer
        ? sendForwarded(response, answer)
        : send(response, answer, { request: id }, request);
    const seconds = (hall.clock.monotonic() - started) / 1000;
    metrics.recordRequest({ operation: match?.operation ?? 'none', status, seconds });
  }

  async #serve(exchange: Exchange, match: Match): Promise<Response> {
    const { request } = exchange;
    const { route } = match;
    const caller = authorize(request, route.policy, this.#needs);
    if (isProblem(caller)) {
      if (!this.#leaderMayKnowCaller(exchange, caller, match)) return caller;
      return (
        (await this.#unknownCallers.tryRun(() =>
          this.#forwardUnknownCaller(exchange, match, caller),
        )) ?? WRITES_REFUSED
      );
    }
    const body = await this.#readBody(request, route);
    return this.#serveBody({ exchange, match, caller, body });
  }

  async #serveBody({ exchange, match, caller, body }: ReceivedRequest): Promise<Response> {
    if (isProblem(body)) return body;
    const { route } = match;
    if (route.policy === 'webhook') return this.#receive(exchange, match, body);
    const key = keyOf(exchange.request, this.#needs.hall.leading() !== undefined);
    const dispatched = { exchange, match, caller, body, key };
    return route.method === 'GET' ? this.#handle(dispatched) : this.#onLeader(dispatched);
  }

  /** The bytes of a delivery are checked as they came, before anything reads them. */
  async #receive(exchange: Exchange, { params }: Match, body: Buffer): Promise<Response> {
    const { hall, receiveWebhook } = this.#needs;
    const { headers } = exchange.request;
    const header = (name: string) => {
      const value = headers[name];
      return typeof value === 'string' ? value : null;
    };
    if (!hall.leading()) {
      const forwarded = await this.#forward({ exchange, body, key: undefined });
      if (forwarded !== 'here') return forwarded;
    }
    return receiveWebhook(params['forge'] ?? '', { header, body });
  }

  async #readBody(request: IncomingMessage, route: Route): Promise<Buffer | Refused> {
    const body = await readBody(request, route.mostBytes ?? MAX_BYTES);
    if (route.bodyIsSecret && !isProblem(body)) receiveSecrets(body, this.#needs.known);
    return body;
  }

  /** A worker may have registered through the leader a moment ago. */
  #leaderMayKnowCaller(
    { request }: Exchange,
    { problem: code }: Refused,
    { operation }: Match,
  ): boolean {
    const { hall } = this.#needs;
    if (code !== 'unauthenticated' || operation === 'streamEvents') return false;
    if (request.headers.authorization === undefined) return false;
    return !hall.leading() && hall.leaderUrl() !== undefined;
  }

  async #forwardUnknownCaller(
    exchange: Exchange,
    { route }: Match,
    refused: Refused,
  ): Promise<Response> {
    const { request } = exchange;
    const body = await this.#readBody(request, route);
    if (isProblem(body)) return body;
    const forwarded = await this.#forward({ exchange, body, key: keyOf(request, false) });
    return forwarded === 'here' ? refused : forwarded;
  }

  /** The leader makes all changes, whichever node that is by now. */
  async #onLeader(dispatched: DispatchedRequest): Promise<Response> {
    const { hall, secretStore } = this.#needs;
    const { route } = dispatched.match;
    for (;;) {
      if (!hall.leading()) {
        if (route.bodyIsSecret && secretStore.locked) return secretStore.locked;
        const forwarded = await this.#forward(dispatched);
        if (forwarded !== 'here') return forwarded;
      }
      try {
        return await this.#handle(dispatched);
      } catch (fault) {
        if (!(fault instanceof NotLeading || fault instanceof LeadershipLost)) throw fault;
        if (this.#stopping || hall.leading()) return WRITES_REFUSED;
      }
    }
  }

  #forward({ exchange, body, key }: Pick<DispatchedRequest, 'exchange' | 'body' | 'key'>) {
    const { request, response, id } = exchange;
    const isOver = () => this.#stopping || response.destroyed;
    return this.#needs.forwarder.forward({ request, id, body, key, isOver });
  }

  #handle({ exchange, match, caller, body, key }: DispatchedRequest): Response | Promise<Response> {
    const { hall, operations } = this.#needs;
    const { request, response, id, path, search } = exchange;
    const { operation, route } = match;
    const input = readInput({ match, search, body });
    if (isProblem(input)) return input;
    const { authorization } = request.headers;
    const idempotencyKey = idempotencyKeyOf({
      header: key,
      authorization,
      caller,
      operation,
      path,
      body: route.bodyIsSecret ? undefined : body,
    });
    if (isProblem(idempotencyKey)) return idempotencyKey;
    if (caller.kind === 'worker') hall.leading()?.liveness.heartbeat(caller.worker);
    if (operation === 'receiveWebhook') throw new Error('a delivery is no request of the API');
    const handler = operations[operation] as OperationHandler<OperationId>;
    return handler({
      ...input,
      operation,
      caller,
      meta: { actor: actorOf(caller), cause: `api: ${operation}` },
      idempotencyKey,
      request: id,
      lastEventId: lastEventIdIn(request),
      response,
    } as RequestContext<OperationId>);
  }

  #failed({ request, response, id, path }: Exchange, fault: unknown): void {
    if (fault instanceof RequestAborted || response.destroyed) {
      response.destroy();
      return;
    }
    const answer = temporaryProblem(fault);
    if (!answer)
      this.#needs.log.error('request failed', { request: id, path, ...faultFacts(fault) });
    if (response.headersSent) response.destroy();
    else send(response, answer ?? FAULT, { request: id }, request);
  }
}

/** A fault that passes by itself is not a failure of the hall. */
function temporaryProblem(fault: unknown): Refused | undefined {
  if (fault instanceof StoreFull) return NO_SPACE;
  if (fault instanceof StoreUnavailable)
    return problem('store_unavailable', `${fault.message}; try again`);
  return fault instanceof StoreFailed || fault instanceof LeadershipLost
    ? WRITES_REFUSED
    : undefined;
}

const FAULT = problem(
  'fault',
  "internal error; for details, look for the request id in the hall's log",
);
const NO_SPACE = problem(
  'no_space',
  'the database has no space: nothing was changed; free some space, then try again',
);
const WRITES_REFUSED = problem('no_leader', 'the hall refuses writes at the moment; try again');

/** A change that may be forwarded must be safe to repeat, even if the client sent no key. */
function keyOf({ method, headers }: IncomingMessage, isLeading: boolean): string | undefined {
  if (method !== 'POST') return undefined;
  const sent = headers['idempotency-key'];
  if (sent !== undefined) return String(sent);
  return isLeading || headers[FORWARDED_HEADER] !== undefined ? undefined : randomUUID();
}

function lastEventIdIn({ headers }: IncomingMessage): string | undefined {
  const sent = headers['last-event-id'];
  return typeof sent === 'string' ? sent : undefined;
}

function withoutRoute({ method, path }: Exchange, allow: string | undefined): Answer {
  if (allow === undefined) return problem('not_found', 'this path does not exist');
  const headers = ['Allow', allow];
  if (method === 'OPTIONS') return { status: 204, headers };
  return problem('method_not_allowed', `${path} accepts ${allow}`, { headers });
}

function faultFacts(fault: unknown): { readonly fault: string; readonly stack: string } {
  if (!(fault instanceof Error)) return { fault: String(fault), stack: '' };
  const cause = fault.cause instanceof Error ? `: ${fault.cause.message}` : '';
  const origin = fault.cause instanceof Error ? fault.cause : fault;
  return { fault: `${fault.message}${cause}`, stack: origin.stack ?? '' };
}
