import type { IncomingMessage, ServerResponse } from 'node:http';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Stands before the door of a hall that is about to stop. */
export interface Gate {
  readonly handle: Handle;
  /** From now on whoever wants to change something is told to come back later. */
  shut(): void;
  /** How many requests are being answered. */
  readonly underWay: number;
  /** Resolves when nothing is being answered, or after so many milliseconds. */
  quiet(within: number): Promise<void>;
}

export function createGate(handle: Handle): Gate {
  let isShut = false;
  let underWay = 0;
  let quieted: (() => void) | undefined;

  function done(): void {
    underWay -= 1;
    if (underWay === 0) quieted?.();
  }

  return {
    handle(request, response) {
      underWay += 1;
      response.once('close', done);
      if (isShut && request.method !== 'GET' && request.method !== 'HEAD') comeBack(response);
      else handle(request, response);
    },
    shut() {
      isShut = true;
    },
    get underWay() {
      return underWay;
    },
    quiet(within) {
      if (underWay === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, within);
        quieted = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

const STOPPING = JSON.stringify({
  type: 'urn:guildhall:problem:stopping',
  title: 'the hall is stopping',
  status: 503,
  detail: 'the hall is stopping and changes nothing more; try again when it is back',
  code: 'stopping',
});

function comeBack(response: ServerResponse): void {
  response
    .writeHead(503, {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'Retry-After': '2',
      Connection: 'close',
    })
    .end(STOPPING);
}
