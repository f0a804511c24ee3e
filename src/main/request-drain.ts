import type { IncomingMessage, ServerResponse } from 'node:http';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Wraps the request handler of a hall, so it can stop without cutting off requests. */
export interface RequestDrain {
  readonly handle: Handle;
  /** From now on, answers requests for changes with 503 and Retry-After. */
  close(): void;
  /** The number of requests in progress. */
  readonly underWay: number;
  /** Resolves when no request is in progress, or after `within` milliseconds. */
  drained(within: number): Promise<void>;
}

export function createRequestDrain(handle: Handle): RequestDrain {
  const underWay = new Set<ServerResponse>();
  let isClosed = false;
  let resolveDrained: (() => void) | undefined;

  function done(this: ServerResponse): void {
    underWay.delete(this);
    if (underWay.size === 0) resolveDrained?.();
  }

  return {
    handle(request, response) {
      underWay.add(response);
      response.once('close', done);
      if (isClosed) announceEnd(response);
      if (isClosed && request.method !== 'GET' && request.method !== 'HEAD') refuse(response);
      else handle(request, response);
    },
    close() {
      isClosed = true;
      for (const response of underWay) announceEnd(response);
    },
    get underWay() {
      return underWay.size;
    },
    drained(within) {
      if (underWay.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, within);
        resolveDrained = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

/** Tells the client that this response closes the connection, before it sends another request on it. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

const STOPPING = JSON.stringify({
  type: 'urn:guildhall:problem:stopping',
  title: 'the hall is stopping',
  status: 503,
  detail: 'the hall is stopping and accepts no more changes; try again when it is back',
  code: 'stopping',
});

function refuse(response: ServerResponse): void {
  response
    .writeHead(503, {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'Retry-After': '2',
      Connection: 'close',
    })
    .end(STOPPING);
}
