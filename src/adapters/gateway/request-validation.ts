import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ALLOWED_PATHS = ['/v1/messages', '/v1/messages/count_tokens'];

/** Path and query of the few calls that are forwarded, unchanged; undefined for all others. */
export function allowedPath({ method, url = '' }: IncomingMessage): string | undefined {
  if (method !== 'POST') return undefined;
  return ALLOWED_PATHS.flatMap((path) => [path, `${path}?beta=true`]).find(
    (known) => known === url,
  );
}

/** The SDK sends an API key as a key, and what it takes for an OAuth token as a bearer token. */
export function hasRunToken({ headers }: IncomingMessage, token: string): boolean {
  const sent = headers['x-api-key'] ?? headers.authorization?.replace(/^bearer +/i, '');
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(token));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Undefined when the body is longer than allowed. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
