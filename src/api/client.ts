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

interface ClientNeeds {
  readonly url: string;
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

const ATTEMPTS = 5;

export function createClient(needs: ClientNeeds): Client {
  const base = needs.url.replace(/\/+$/, '');
  const send = needs.fetch ?? fetch;
  const authorization: Record<string, string> =
    needs.token === undefined ? {} : { authorization: `Bearer ${needs.token}` };

  async function attempt(request: OutgoingRequest): Promise<Response | HallUnreachable> {
    const { method, url, headers, body, signal } = request;
    return send(url, {
      method,
      headers: { ...authorization, ...headers },
      redirect: 'error',
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    }).then(
      (response) => response,
      (fault: unknown) => {
        if (signal?.aborted) throw signal.reason;
        return new HallUnreachable(base, fault);
      },
    );
  }

  async function persist(request: OutgoingRequest): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      const answer = await attempt(request);
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
    events: (input = {}) => readEvents(input, { base, attempt, failed }),
  };
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
  answer: Response | HallUnreachable,
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

function parsed(response: Response, text: string): unknown {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return isJson ? JSON.parse(text) : text;
}

function problemIn(text: string): Partial<Problem> {
  return text.startsWith('{') ? JSON.parse(text) : {};
}

async function failed(operation: OperationId, response: Response): Promise<ProblemReceived> {
  return new ProblemReceived(operation, response.status, problemIn(await response.text()));
}
