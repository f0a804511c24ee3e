import { delay } from './delay.ts';
import { ENDPOINTS } from './endpoints.ts';
import { type EventStreamOptions, readEvents } from './event-stream.ts';
import type { OperationArguments, OperationResult, OutgoingRequest } from './operation.ts';
import type { EventRecord } from './overview.ts';
import type { Problem } from './problem.ts';
import { HallUnreachable, ProblemReceived } from './problem-received.ts';
import type { OperationId } from './routes.ts';

export interface Client {
  call<Op extends OperationId>(
    operation: Op,
    ...input: OperationArguments<Op>
  ): Promise<OperationResult<Op>>;
  /** Events as they happen, without loss or repetition, across lost connections. */
  events(input?: EventStreamOptions): AsyncGenerator<EventRecord, void, undefined>;
}

/** A response, as far as a call reads it. */
export interface Reply extends Pick<Response, 'ok' | 'status' | 'text'> {
  readonly headers: Pick<Headers, 'get'>;
}

/** Sends a request like `fetch`, and follows no redirects. */
export type Send = (url: string, request: Partial<Omit<OutgoingRequest, 'url'>>) => Promise<Reply>;

interface ClientNeeds {
  readonly url: string;
  readonly token?: string;
  /** Sends the calls; `fetch` if missing, which always opens the stream of events. */
  readonly send?: Send;
}

const ATTEMPTS = 5;

export function createClient(needs: ClientNeeds): Client {
  const base = needs.url.replace(/\/+$/, '');
  const send = needs.send ?? fetchOnce;
  const authorization: Record<string, string> =
    needs.token === undefined ? {} : { authorization: `Bearer ${needs.token}` };

  async function attempt<R>(
    via: (url: string, request: OutgoingRequest) => Promise<R>,
    { headers, ...request }: OutgoingRequest,
  ): Promise<R | HallUnreachable> {
    return via(request.url, { ...request, headers: { ...authorization, ...headers } }).then(
      (response) => response,
      (fault: unknown) => {
        if (request.signal?.aborted) throw request.signal.reason;
        return new HallUnreachable(base, fault);
      },
    );
  }

  async function persist(request: OutgoingRequest): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const answer = await attempt(send, request);
      const wait = tries < ATTEMPTS ? waitBefore(answer, request.method, tries) : undefined;
      if (wait !== undefined) await delay(wait, request.signal);
      else if (answer instanceof HallUnreachable) throw answer;
      else return answer;
    }
  }

  async function call(operation: OperationId, input: AnyInput = {}): Promise<unknown> {
    const response = await persist(outgoingRequest(base, operation, input));
    if (response.status === 204) return undefined;
    const text = await response.text();
    if (!response.ok) throw new ProblemReceived(operation, response.status, problemIn(text));
    return parsed(response, text);
  }

  return {
    // The hall's answers match the route table, so they are not parsed again here.
    call: call as Client['call'],
    events: (input = {}) =>
      readEvents(input, { base, attempt: (request) => attempt(fetchOnce, request), failed }),
  };
}

function fetchOnce(
  url: string,
  { method, headers, body, signal }: Parameters<Send>[1],
): Promise<Response> {
  return fetch(url, {
    redirect: 'error',
    ...(method !== undefined && { method }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  });
}

interface AnyInput {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

function outgoingRequest(base: string, operation: OperationId, input: AnyInput): OutgoingRequest {
  const { method, path } = ENDPOINTS[operation];
  const headers: Record<string, string> = {};
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (method === 'POST') {
    headers['idempotency-key'] = input.idempotencyKey ?? crypto.randomUUID();
  }
  return {
    method,
    url: base + filled(path, input.path ?? {}) + queryString(input.query ?? {}),
    headers,
    body: input.body === undefined ? undefined : JSON.stringify(input.body),
    signal: input.signal,
  };
}

function filled(template: string, path: Readonly<Record<string, string>>): string {
  if (!template.includes('{')) return template;
  return template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''));
}

function queryString(query: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** How long to wait before a retry, or undefined when this is the final answer. */
function waitBefore(
  answer: Reply | HallUnreachable,
  method: string,
  tries: number,
): number | undefined {
  const backoff = 100 * 2 ** tries * (0.5 + Math.random());
  if (answer instanceof HallUnreachable) return method === 'DELETE' ? undefined : backoff;
  // The request did not arrive in time, so none of it was carried out.
  if (answer.status === 408) return backoff;
  if (answer.status !== 503 && answer.status !== 429) return undefined;
  const retryAfter = answer.headers.get('retry-after');
  if (retryAfter === null) return undefined;
  return Math.min(Number(retryAfter) * 1000 || backoff, 5_000);
}

function parsed(response: Reply, text: string): unknown {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return isJson ? JSON.parse(text) : text;
}

function problemIn(text: string): Partial<Problem> {
  return text.startsWith('{') ? JSON.parse(text) : {};
}

async function failed(operation: OperationId, response: Response): Promise<ProblemReceived> {
  return new ProblemReceived(operation, response.status, problemIn(await response.text()));
}
