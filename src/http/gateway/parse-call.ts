import type { IncomingMessage } from 'node:http';
import { type Fence, numberIn, type RunId } from '../../domain/ids.ts';
import type { ModelCall } from '../../ports/model.ts';

/** A worker's call to the gateway. */
export type GatewayCall = Pick<ModelCall, 'path' | 'isBeta' | 'headers'>;

const PREFIX = '/gateway';
const PATHS: readonly ModelCall['path'][] = ['/v1/messages', '/v1/messages/count_tokens'];

export function isForGateway(path: string): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

/** The call as sent to the provider; undefined when it is not one the gateway forwards. */
export function parseGatewayCall(
  request: IncomingMessage,
  path: string,
  search: string,
): GatewayCall | undefined {
  const forwarded = PATHS.find((known) => path === `${PREFIX}${known}`);
  if (forwarded === undefined || request.method !== 'POST') return undefined;
  if (search !== '' && search !== 'beta=true') return undefined;
  return { path: forwarded, isBeta: search !== '', headers: forwardedHeaders(request) };
}

/** The gateway forwards no other request headers. */
export const FORWARDED_HEADERS = [
  'accept',
  'content-type',
  'anthropic-version',
  'anthropic-beta',
  'user-agent',
  'x-app',
];

function forwardedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    FORWARDED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

export const RUN_HEADER = 'x-guildhall-run';
export const FENCE_HEADER = 'x-guildhall-fence';

/** The run that a worker names for its call; undefined when it names none. */
export function runNamedIn({ headers }: IncomingMessage): { run: RunId; fence: Fence } | undefined {
  const run = numberIn('run', String(headers[RUN_HEADER] ?? ''));
  const fence = /^\d{1,16}$/.exec(String(headers[FENCE_HEADER] ?? ''))?.[0];
  if (run === undefined || fence === undefined) return undefined;
  return { run: run as RunId, fence: Number(fence) as Fence };
}

/** The provider's headers that a client may see: nothing that reveals the account. */
export function answerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const allowed = Object.entries(headers).filter(
    ([name]) => RESPONSE_HEADERS.includes(name) || name.startsWith('anthropic-ratelimit-'),
  );
  return Object.fromEntries(allowed);
}

const RESPONSE_HEADERS = ['content-type', 'request-id', 'retry-after', 'x-should-retry'];
