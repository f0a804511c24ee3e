import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Hall } from '../../board/hall.ts';
import { requireLeading } from '../../board/leader.ts';
import { readBoard } from '../../board/read-board.ts';
import { nameOf, type RunId } from '../../domain/ids.ts';
import type { Lease } from '../../domain/lease.ts';
import { type Allowance, mayCallModel } from '../../domain/metering.ts';
import {
  classifyProviderError,
  type ProviderFailure,
  parkInvoker,
} from '../../domain/provider-limits.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Log } from '../../ports/log.ts';
import {
  type Account,
  type ModelResponse,
  type Models,
  ModelUnreachable,
} from '../../ports/model.ts';
import type { Auth, Authenticator } from '../authenticate.ts';
import { authorize } from '../authorize.ts';
import { readBody } from '../body.ts';
import { actorOf, type Caller, workerOf } from '../caller.ts';
import type { Exchange } from '../exchange.ts';
import { isProblem, problem, type Refused } from '../problem.ts';
import { Semaphore } from '../semaphore.ts';
import { waitForDrain } from '../wait-for-drain.ts';
import {
  FAILURE_HEADER,
  fromProblem,
  fromRefusal,
  RESETS_HEADER,
  sendGatewayError,
} from './error-response.ts';
import type { GatewayForwarder } from './forward-to-leader.ts';
import { createStreamMeter, type MeterReading, usageIn } from './meter.ts';
import { answerHeaders, type GatewayCall, parseGatewayCall, runNamedIn } from './parse-call.ts';
import { serverSideToolIn } from './server-side-tools.ts';
import { UsageRecorder } from './usage-recorder.ts';

interface GatewayNeeds {
  readonly hall: Hall;
  readonly auth: Auth;
  readonly authenticator: Authenticator;
  readonly log: Log;
  readonly models: Models;
  readonly relay: GatewayForwarder;
  /** The credential of an invoker; undefined when there is none that can be read. */
  readonly accountOf: (handle: string) => Account | undefined;
}

/** A conversation of a million tokens is a few megabytes; images add to it. */
const MAX_BYTES = 32 * 1024 * 1024;
/** An agent makes one call at a time, plus a few on the side. Each alone may exceed the ceiling. */
const MAX_AT_ONCE = 4;
const MAX_UNKNOWN_CALLERS = 8;

const Body = z.looseObject({ model: z.string().max(200) });

/** The model, as agents see it. A call needs a run that holds its lease and may still spend. */
export class Gateway {
  readonly #needs: GatewayNeeds;
  readonly #activeCalls = new Map<RunId, Set<AbortController>>();
  readonly #unknownCallers = new Semaphore(MAX_UNKNOWN_CALLERS);

  constructor(needs: GatewayNeeds) {
    this.#needs = needs;
    needs.hall.subscribe((events) => {
      for (const { event } of events) if (event.type === 'RunEnded') this.#abortCalls(event.run);
    });
  }

  #abortCalls(run: RunId): void {
    for (const call of this.#activeCalls.get(run) ?? []) call.abort();
  }

  /** Answers any request and returns the status. */
  async answer(exchange: Exchange): Promise<number> {
    const { hall } = this.#needs;
    const { request, response, path, search } = exchange;
    const called = parseGatewayCall(request, path, search);
    if (!called)
      return sendGatewayError(response, fromProblem(problem('not_found', ONLY_MESSAGES)));
    const caller = authorize(request, 'worker', this.#needs);
    if (!hall.leading()) return this.#forward(exchange, caller);
    if (isProblem(caller)) return sendGatewayError(response, fromProblem(caller));
    const named = runNamedIn(request);
    if (!named) return sendGatewayError(response, INCOMPLETE_CALL);
    if (caller.kind === 'worker') requireLeading(hall).liveness.heartbeat(caller.worker);
    const lease: Lease = { ...named, worker: workerOf(caller) };
    const actor = actorOf(caller);
    return this.#limitCalls(lease.run, response, (ended) =>
      withBody(request, response, (body) =>
        this.#callModel({ called, body, lease, actor, response, ended }),
      ),
    );
  }

  /** A worker may have registered through the leader a moment ago. */
  async #forward(exchange: Exchange, caller: Caller | Refused): Promise<number> {
    const { request, response } = exchange;
    const pass = () =>
      withBody(request, response, (body) => this.#needs.relay.forward(exchange, body));
    if (!isProblem(caller)) return pass();
    const { authorization } = request.headers;
    if (caller.problem !== 'unauthenticated' || authorization === undefined) {
      return sendGatewayError(response, fromProblem(caller));
    }
    return (
      (await this.#unknownCallers.tryRun(pass)) ??
      sendGatewayError(response, TOO_MANY_UNKNOWN_CALLERS)
    );
  }

  /** Allows no more calls at once than an agent needs, and none that outlast the run. */
  async #limitCalls(
    run: RunId,
    response: ServerResponse,
    act: (ended: AbortSignal) => Promise<number>,
  ): Promise<number> {
    const calls = this.#activeCalls.get(run) ?? new Set();
    if (calls.size >= MAX_AT_ONCE) return sendGatewayError(response, TOO_MANY_CALLS);
    const call = new AbortController();
    this.#activeCalls.set(run, calls.add(call));
    try {
      return await act(call.signal);
    } finally {
      calls.delete(call);
      if (calls.size === 0) this.#activeCalls.delete(run);
    }
  }

  async #callModel(authorized: AuthorizedCall): Promise<number> {
    const { hall, accountOf, models } = this.#needs;
    const { lease, response, called, body, ended } = authorized;
    const call = jsonIn(body.toString('utf8'));
    const model = modelIn(call);
    if (model === undefined) return sendGatewayError(response, INCOMPLETE_CALL);
    const serverSideTool = serverSideToolIn(call);
    if (serverSideTool !== undefined)
      return sendGatewayError(response, serverSideRefusal(serverSideTool));
    const allowed = await readBoard(hall, (board) => mayCallModel(board, lease));
    if (isRefusal(allowed)) return sendGatewayError(response, fromRefusal(allowed));
    const account = accountOf(allowed.invoker);
    if (!account) return sendGatewayError(response, withoutCredential(allowed.invoker));
    const connection = untilDisconnected(hall, response);
    try {
      const signal = AbortSignal.any([connection.over, ended]);
      // Send exactly what was checked: another parser might read the same bytes as another call.
      const sent = Buffer.from(JSON.stringify(call));
      const answer = await models.send(account, { ...called, body: sent, signal });
      const answered = { ...authorized, model, allowed, account, answer };
      if (answer.status < 200 || answer.status >= 300)
        return await this.#sendProviderError(answered);
      return await (isStream(answer) ? this.#stream(answered) : this.#sendBuffered(answered));
    } catch (error) {
      if (!(error instanceof ModelUnreachable)) throw error;
      return this.#sendUnreachable(response, error);
    } finally {
      connection.end();
    }
  }

  /** Streams the answer through and meters its usage on the way. */
  async #stream(answered: AnsweredCall): Promise<number> {
    const { response, answer, lease } = answered;
    const meter = createStreamMeter();
    const ledger = this.#ledger(answered);
    response.writeHead(answer.status, responseHeaders(answer));
    response.flushHeaders();
    try {
      for await (const chunk of answer.body) {
        meter.feed(chunk);
        if (await ledger?.begin(meter.reading())) return abortResponse(response);
        if (!response.destroyed && !response.write(chunk)) await waitForDrain(response);
      }
      meter.end();
    } finally {
      if (await ledger?.end(meter.reading())) this.#logLateUsage(lease.run, meter.reading());
    }
    response.end();
    return answer.status;
  }

  /** Usage has no fixed place in an unstreamed answer, so the gateway reads all of it first. */
  async #sendBuffered(answered: AnsweredCall): Promise<number> {
    const { response, answer, lease } = answered;
    const text = await beginningOf(answer, MAX_ANSWER);
    const reading = usageIn(jsonIn(text.toString('utf8')));
    if (await this.#ledger(answered)?.end(reading)) {
      this.#logLateUsage(lease.run, reading);
      return abortResponse(response);
    }
    response.writeHead(answer.status, responseHeaders(answer));
    response.end(text);
    return answer.status;
  }

  /** Counting tokens is free. */
  #ledger({ called, lease, actor, model, allowed }: AnsweredCall): UsageRecorder | undefined {
    if (called.path !== '/v1/messages') return undefined;
    return new UsageRecorder({ hall: this.#needs.hall, lease, actor, model }, allowed.run);
  }

  /** What a run used after its end is recorded only in the log. */
  #logLateUsage(run: RunId, reading: MeterReading | null): void {
    const { input = 0, output = 0 } = reading?.tokens ?? {};
    this.#needs.log.warn('a model call outlived its run', {
      run: nameOf('run', run),
      input,
      output,
    });
  }

  async #sendProviderError({ response, answer, allowed, account }: AnsweredCall): Promise<number> {
    const { hall } = this.#needs;
    const beginning = await beginningOf(answer, MAX_ERROR);
    const text = beginning.toString('utf8').replaceAll(account.credential, '…');
    const { kind, message } = errorIn(text);
    const declined = { status: answer.status, headers: answer.headers, kind, message };
    const providerFailure = classifyProviderError(declined, hall.clock.now());
    await this.#park(allowed, providerFailure);
    const { failure, until } = providerFailure;
    const isRedirect = answer.status < 400;
    const status = isRedirect ? 502 : answer.status;
    response.writeHead(status, {
      ...answerHeaders(answer.headers),
      [FAILURE_HEADER]: isRedirect ? 'overloaded' : failure,
      ...(until !== null && { [RESETS_HEADER]: String(until) }),
    });
    response.end(isRedirect ? REDIRECTED : text);
    return status;
  }

  async #park({ invoker }: Allowance, providerFailure: ProviderFailure): Promise<void> {
    const { hall, log } = this.#needs;
    if (providerFailure.until === null) return;
    await requireLeading(hall).writer.change({
      meta: { actor: 'hall', cause: 'gateway' },
      decide: (board, now) => parkInvoker(board, invoker, providerFailure, now),
    });
    if (providerFailure.failure === 'auth') {
      log.error('the provider refuses a credential', { invoker, because: providerFailure.because });
    }
  }

  #sendUnreachable(response: ServerResponse, fault: ModelUnreachable): number {
    if (response.destroyed) return 499;
    this.#needs.log.warn('the model could not be reached', { fault: fault.message });
    if (response.headersSent) return abortResponse(response);
    return sendGatewayError(response, {
      status: 502,
      failure: 'overloaded',
      because: fault.message,
    });
  }
}

interface AuthorizedCall {
  readonly called: GatewayCall;
  readonly body: Buffer;
  readonly lease: Lease;
  readonly actor: string;
  readonly response: ServerResponse;
  /** Aborted when the run has ended. */
  readonly ended: AbortSignal;
}

interface AnsweredCall extends AuthorizedCall {
  readonly model: string;
  readonly allowed: Allowance;
  readonly account: Account;
  readonly answer: ModelResponse;
}

async function withBody(
  request: IncomingMessage,
  response: ServerResponse,
  act: (body: Buffer) => Promise<number>,
): Promise<number> {
  const body = await readBody(request, MAX_BYTES);
  return isProblem(body) ? sendGatewayError(response, fromProblem(body)) : act(body);
}

const ONLY_MESSAGES =
  'the gateway accepts only POST /v1/messages and POST /v1/messages/count_tokens';
const REDIRECTED = JSON.stringify({
  type: 'error',
  error: {
    type: 'api_error',
    message: 'guildhall: the provider answered with a redirect, which is not followed',
  },
});
const INCOMPLETE_CALL = {
  status: 400,
  failure: 'refused',
  because: 'guildhall: the call must name its run and fence in headers and a model in its body',
} as const;
const TOO_MANY_CALLS = {
  status: 429,
  failure: 'refused',
  because: `guildhall: a run may make at most ${MAX_AT_ONCE} model calls at once`,
} as const;

const TOO_MANY_UNKNOWN_CALLERS = {
  status: 503,
  failure: 'away',
  because:
    'guildhall: this node does not know the token and is busy asking the leader about others; try again',
} as const;

function withoutCredential(invoker: string) {
  const because = `guildhall: the hall has no credential for ${invoker} that it can read; see its health`;
  return { status: 401, failure: 'auth', because } as const;
}

function serverSideRefusal(what: string) {
  const because = `guildhall: an agent may not have the provider fetch or run anything for it: ${what}`;
  return { status: 400, failure: 'refused', because } as const;
}

function modelIn(call: unknown): string | undefined {
  const parsed = Body.safeParse(call);
  return parsed.success ? parsed.data.model : undefined;
}

const Fault = z.looseObject({ error: z.looseObject({ type: z.string(), message: z.string() }) });

function errorIn(text: string): { readonly kind: string; readonly message: string } {
  const parsed = Fault.safeParse(jsonIn(text));
  if (!parsed.success) return { kind: '', message: '' };
  const { type, message } = parsed.data.error;
  return { kind: /^\w{1,60}$/.test(type) ? type : '', message };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const MAX_ERROR = 64 * 1024;
const MAX_ANSWER = 32 * 1024 * 1024;

async function beginningOf({ body }: ModelResponse, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

function isStream({ headers }: ModelResponse): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

function responseHeaders({ headers }: ModelResponse): Record<string, string> {
  return { ...answerHeaders(headers), 'cache-control': 'no-store' };
}

/** The longest a provider takes for an unstreamed answer. */
const MAX_UNSTREAMED = 600_000;

/**
 * Reads an answer to its end even if the client disconnects: only the end reports the cost, and a
 * client that left just before it would work for free.
 */
function untilDisconnected({ clock }: Hall, response: ServerResponse) {
  const over = new AbortController();
  let timer: { cancel(): void } | undefined;
  const left = () => {
    timer = clock.after(MAX_UNSTREAMED, () => over.abort());
  };
  response.once('close', left);
  return {
    over: over.signal,
    end() {
      response.removeListener('close', left);
      timer?.cancel();
    },
  };
}

/** The reader must notice that the answer is incomplete. */
function abortResponse(response: ServerResponse): number {
  response.destroy();
  return response.statusCode;
}
