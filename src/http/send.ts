import type { IncomingMessage, ServerResponse } from 'node:http';
import { isReplayed, type Replayed } from '../board/replay-response.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { hasBody } from './exchange.ts';
import type { ForwardedResponse } from './forward-to-leader.ts';
import { isProblem, problemDocument, type Refused, refusalDocument } from './problem.ts';

/** On every answer: no caching, no framing, no content sniffing, no running as a page. */
const ALWAYS = [
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
] as const;

export interface PlainReply {
  readonly status: number | string;
  readonly body?: unknown;
  /** The body as text, if it is already rendered. */
  readonly text?: string;
  readonly type?: string;
  readonly headers?: readonly string[];
}

export type Answer = PlainReply | Refusal | Replayed | Refused;

/**
 * Writes an answer and returns its status. Head and body go out as one string: two pieces would
 * cost a gathering write.
 */
export function send(
  response: ServerResponse,
  answer: Answer,
  { request: id }: { readonly request: string },
  request: IncomingMessage,
): number {
  const { status, text, type, headers } = written(answer, id);
  const head: string[] = [...ALWAYS, 'X-Request-Id', id];
  if (headers) head.push(...headers);
  if (text !== '') head.push('Content-Type', type ?? JSON_TYPE);
  if (status !== 204) head.push('Content-Length', String(Buffer.byteLength(text)));
  if (!request.complete && hasBody(request)) linger(response, request, { status, head, text });
  else response.writeHead(status, head).end(text);
  return status;
}

interface Written {
  readonly status: number;
  readonly text: string;
  readonly type?: string | undefined;
  readonly headers?: readonly string[] | undefined;
}

function written(answer: Answer, id: string): Written {
  if (isReplayed(answer)) {
    const { status, body } = answer.replayed;
    return { status, text: body, headers: ['Idempotency-Replayed', 'true'] };
  }
  if (isRefusal(answer)) {
    const document = refusalDocument(answer, id);
    return { status: document.status, text: JSON.stringify(document), type: PROBLEM };
  }
  if (isProblem(answer)) {
    const document = problemDocument(answer, id);
    const headers = [...(answer.headers ?? []), ...retryAfter(document.status)];
    return { status: document.status, text: JSON.stringify(document), type: PROBLEM, headers };
  }
  const { status, body, text, type, headers } = answer;
  const rendered = text ?? (body === undefined ? '' : JSON.stringify(body));
  return { status: Number(status), text: rendered, type, headers };
}

const PROBLEM = 'application/problem+json';
const JSON_TYPE = 'application/json; charset=utf-8';

function retryAfter(status: number): readonly string[] {
  return status === 503 || status === 429 ? ['Retry-After', '1'] : [];
}

/** How long to discard what a client still sends, so it gets to read the answer. */
export const LINGER = 10_000;

/**
 * Answers a request whose body was not read, and closes. Closing a connection while the client
 * still sends resets it, and the client would never see why.
 */
function linger(
  response: ServerResponse,
  request: IncomingMessage,
  { status, head, text }: { status: number; head: readonly string[]; text: string },
): void {
  response.writeHead(status, [...head, 'Connection', 'close']);
  response.write(text);
  const close = () => {
    clearTimeout(timer);
    response.end();
    request.socket.destroySoon();
  };
  const timer = setTimeout(close, LINGER);
  request.once('end', close);
  request.once('close', close);
  request.resume();
}

/** Sends the leader's answer. */
export function sendForwarded(
  response: ServerResponse,
  { status, headers, body }: ForwardedResponse,
): number {
  response.writeHead(status, [...headers]).end(body);
  return status;
}

/** The head of a streamed answer. */
export function streamHead(request: string): string[] {
  return [
    ...ALWAYS,
    'X-Request-Id',
    request,
    'Content-Type',
    'text/event-stream; charset=utf-8',
    'X-Accel-Buffering',
    'no',
  ];
}
