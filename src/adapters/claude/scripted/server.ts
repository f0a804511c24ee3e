import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Conversation, conversationIn, Request } from './conversation.ts';
import { type InjectedFault, type ModelTurn, nextTurn } from './next-turn.ts';
import { readScript } from './read-script.ts';
import type { Script } from './script.ts';
import { streamOf, tokensIn, wholeMessage } from './wire.ts';

export interface ScriptedModel extends AsyncDisposable {
  /** The base URL for clients of the Messages API. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** One request, as the server received it. */
interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when it was not a message request. */
  readonly conversation: Conversation | null;
  /** The scene that answered; null when none did. */
  readonly scene: string | null;
  /** The response status; 0 when the connection was dropped. */
  status: number;
}

interface Options {
  /** A script, or its YAML. */
  readonly script: Script | string;
  readonly port?: number;
}

interface ServerState {
  readonly script: Script;
  readonly requests: RecordedRequest[];
  /** How often a fault was injected, by conversation and place. */
  readonly injected: Map<string, number>;
  readonly closing: AbortSignal;
}

/** Serves the Messages API from a script, on loopback, without a model. */
export async function startScriptedModel({ script, port = 0 }: Options): Promise<ScriptedModel> {
  const closing = new AbortController();
  const state: ServerState = {
    script: typeof script === 'string' ? readScript(script) : script,
    requests: [],
    injected: new Map(),
    closing: closing.signal,
  };
  const server = createServer((request, response) => {
    answer(state, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, String(error));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  async function close() {
    closing.abort();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    requests: state.requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answer(state: ServerState, request: IncomingMessage, response: ServerResponse) {
  const path = new URL(request.url ?? '/', 'http://model').pathname;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const body = await bodyOf(request);
  const recordRequest = (
    conversation: Conversation | null,
    scene: string | null,
  ): RecordedRequest => {
    const recorded = { path, headers, conversation, scene, status: 0 };
    state.requests.push(recorded);
    response.once('finish', () => {
      recorded.status = response.statusCode;
    });
    return recorded;
  };
  if (request.method !== 'POST') return respondToProbe(response, recordRequest(null, null));
  const parsed = Request.safeParse(body);
  if (!parsed.success) {
    recordRequest(null, null);
    return refuse(response, 400, parsed.error.issues.map((issue) => issue.message).join('; '));
  }
  const conversation = conversationIn(parsed.data);
  if (path === '/v1/messages/count_tokens') {
    recordRequest(conversation, null);
    return json(response, 200, { input_tokens: tokensIn(conversation.everything.length) });
  }
  if (path !== '/v1/messages') {
    recordRequest(conversation, null);
    return refuse(response, 404, `there is no endpoint ${path}`);
  }
  const turn = nextTurn(state.script, conversation);
  if ('unanswered' in turn) {
    recordRequest(conversation, null);
    return refuse(response, 400, turn.unanswered);
  }
  recordRequest(conversation, turn.scene);
  await respond(state, { turn, conversation }, response);
}

interface PlannedTurn {
  readonly turn: ModelTurn;
  readonly conversation: Conversation;
}

async function respond(
  state: ServerState,
  planned: PlannedTurn,
  response: ServerResponse,
): Promise<void> {
  const { turn, conversation } = planned;
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const until = AbortSignal.any([disconnected.signal, state.closing]);
  if (!(await waitUnlessClosed(turn.waits, until))) return;
  const fault = nextFault(state, planned);
  if (fault?.is === 'fail') return fail(response, fault.failure);
  response.setHeaders(new Headers(rateLimitHeaders(Date.now())));
  if (!conversation.streams && !fault) {
    return json(response, 200, wholeMessage(turn, conversation));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  let sent = 0;
  for (const event of streamOf(turn, conversation)) {
    if (fault?.is === 'drop' && sent >= fault.after) return drop(response);
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    sent += 1;
    if (turn.pace > 0 && !(await waitUnlessClosed(turn.pace, until))) return;
  }
  response.end();
}

async function waitUnlessClosed(ms: number, until: AbortSignal): Promise<boolean> {
  if (ms === 0) return !until.aborted;
  await Promise.race([
    pause(ms, undefined, { ref: false }),
    new Promise((resolve) => until.addEventListener('abort', resolve, { once: true })),
  ]);
  return !until.aborted;
}

/** The first fault not yet injected as often as the script wants at this place of this conversation. */
function nextFault(
  { injected }: ServerState,
  { turn, conversation }: PlannedTurn,
): InjectedFault | undefined {
  const place = [
    turn.scene,
    turn.at,
    conversation.first,
    conversation.prompt,
    conversation.turnsBefore,
  ];
  const key = createHash('sha256').update(JSON.stringify(place)).digest('hex');
  return turn.faults.find((fault, at) => {
    const count = injected.get(`${key}.${at}`) ?? 0;
    const most = fault.is === 'fail' ? fault.failure.times : fault.times;
    if (count >= most) return false;
    injected.set(`${key}.${at}`, count + 1);
    return true;
  });
}

function fail(
  response: ServerResponse,
  failure: Extract<InjectedFault, { is: 'fail' }>['failure'],
): void {
  const { status, headers, message } = failure;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, resolveTime(value));
  json(response, status, errorBody(failure.type ?? TYPES[status] ?? 'api_error', message));
}

/** `+90s` in a header becomes the time 90 seconds from now; `@90s` the same in seconds since 1970. */
function resolveTime(value: string): string {
  const [, sign, count] = /^([+@])(\d+)s$/.exec(value) ?? [];
  if (sign === undefined) return value;
  const at = Date.now() + Number(count) * 1_000;
  return sign === '+' ? new Date(at).toISOString() : String(Math.floor(at / 1_000));
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function refuse(response: ServerResponse, status: number, message: string): void {
  json(response, status, errorBody(TYPES[status] ?? 'api_error', message));
}

function errorBody(type: string, message: string) {
  return { type: 'error', error: { type, message } };
}

/** Sends what was written, but never the end. */
function drop(response: ServerResponse): void {
  response.socket?.destroySoon();
}

/** A client's probe only checks that the server is up. */
function respondToProbe(response: ServerResponse, _recorded: RecordedRequest): void {
  json(response, 200, {});
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function rateLimitHeaders(now: number): Record<string, string> {
  const reset = new Date(now + 60_000).toISOString();
  return {
    'request-id': 'req_scripted',
    'anthropic-ratelimit-requests-limit': '4000',
    'anthropic-ratelimit-requests-remaining': '3999',
    'anthropic-ratelimit-requests-reset': reset,
    'anthropic-ratelimit-tokens-limit': '400000',
    'anthropic-ratelimit-tokens-remaining': '399000',
    'anthropic-ratelimit-tokens-reset': reset,
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
