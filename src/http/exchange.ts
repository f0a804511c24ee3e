import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** One HTTP request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Identifies the request in the log and in its answer. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The query string, without the question mark. */
  readonly search: string;
}

/** Generates request ids that are unique across nodes and restarts. */
export function createExchanges(): (
  request: IncomingMessage,
  response: ServerResponse,
) => Exchange {
  const start = randomBytes(6).toString('base64url');
  let count = 0;

  return (request, response) => {
    count += 1;
    const requestId = request.headers['x-request-id'];
    const isValid = typeof requestId === 'string' && /^[\w.-]{1,64}$/.test(requestId);
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    return {
      request,
      response,
      id: isValid ? requestId : `${start}.${count.toString(36)}`,
      method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
      path: mark < 0 ? url : url.slice(0, mark),
      search: mark < 0 ? '' : url.slice(mark + 1),
    };
  };
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}
