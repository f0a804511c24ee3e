import type { IncomingMessage } from 'node:http';
import { problem, type Refused } from './problem.ts';

export const MAX_BYTES = 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** The whole body, or why it was refused. A body that is too long is not read to its end. */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | Refused> {
  const { headers } = request;
  const length = headers['content-length'];
  if (length === '0' || (length === undefined && headers['transfer-encoding'] === undefined)) {
    return Promise.resolve(EMPTY);
  }
  if (!isJson(headers['content-type']) || isCompressed(headers['content-encoding'])) {
    const detail = 'send the body uncompressed, with Content-Type: application/json';
    return Promise.resolve(problem('unsupported_media_type', detail));
  }
  if (Number(length) > most) return Promise.resolve(tooLarge(most));
  return new Promise((resolve, reject) => collectBody(request, most, resolve, reject));
}

function tooLarge(most: number): Refused {
  return problem('body_too_large', `the body must not be larger than ${most / 1024 ** 2} MiB`);
}

function isJson(type: string | undefined): boolean {
  return type === 'application/json' || /^application\/json *(;|$)/i.test(type ?? '');
}

function isCompressed(encoding: string | undefined): boolean {
  return encoding !== undefined && encoding !== 'identity';
}

/** Reads the bytes of a body and calls one of the two, once. */
export function collectBody(
  request: IncomingMessage,
  most: number,
  done: (body: Buffer | Refused) => void,
  fail: (fault: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const finish = (body: Buffer | Refused) => {
    if (!isOver) done(body);
    isOver = true;
  };
  const abort = (fault: Error) => {
    if (!isOver) fail(fault);
    isOver = true;
  };
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) {
      request.pause();
      request.removeAllListeners('data');
      finish(tooLarge(most));
      return;
    }
    chunks.push(chunk);
  });
  request.on('end', () => {
    const [only] = chunks;
    finish(chunks.length === 1 && only ? only : Buffer.concat(chunks, bytes));
  });
  request.on('error', abort);
  request.on('close', () => {
    if (!request.complete) abort(new RequestAborted());
  });
}

/** The client disconnected before sending everything, so there is no one to answer. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/** The parsed body, or where it stops being JSON. */
export function parseJson(body: Buffer): { readonly value: unknown } | Refused {
  if (body.length === 0) return { value: {} };
  const text = body.toString('utf8');
  try {
    return { value: JSON.parse(text) };
  } catch (fault) {
    return problem('malformed_json', `the body is not JSON: ${placeOf(fault as Error, text)}`);
  }
}

/** The parser's own message quotes the body, which may contain a secret. */
function placeOf({ message }: Error, text: string): string {
  const reported = /position (\d+)/.exec(message)?.[1];
  const position = reported === undefined ? unexpectedTokenIn(text) : Number(reported);
  const before = text.slice(0, position).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} (character ${position})`;
}

/**
 * Finds an unexpected token, the one fault for which the parser gives no position, by bisection: a
 * prefix that ends before the token fails at its end, a longer one fails at the token.
 */
function unexpectedTokenIn(text: string): number {
  let [valid, invalid] = [0, text.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (hasUnexpectedToken(text.slice(0, middle))) invalid = middle;
    else valid = middle;
  }
  return valid;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (fault) {
    return (fault as Error).message.startsWith('Unexpected token');
  }
}
