import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

/** Connects a worker to the gateway of its hall. */
export interface HallGatewayClient {
  /** The head of the response; undefined when the hall was unreachable for too long. */
  send(call: GatewayCall): Promise<IncomingMessage | undefined>;
  close(): void;
}

interface GatewayCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

interface Needs {
  readonly hall: { readonly url: string; readonly token: string };
  readonly run: string;
  readonly fence: number;
}

/** Milliseconds between tries. A restarted hall or a new leader is available within their sum. */
const RETRY_DELAYS = [100, 200, 400, 800, 1_500, 2_000, 2_000, 2_000, 3_000, 3_000, 5_000];

export function createHallGatewayClient(needs: Needs): HallGatewayClient {
  const plain = new Agent({ keepAlive: true });
  const secure = new SecureAgent({ keepAlive: true });
  const agents = { plain, secure };
  return {
    async send(call) {
      for (const delay of [...RETRY_DELAYS, null]) {
        const response = await sendOnce(needs, agents, call);
        if (response && !isUnavailable(response)) return response;
        response?.resume();
        if (delay === null || call.signal.aborted) return undefined;
        await pause(delay);
      }
      return undefined;
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** The hall itself is unavailable; a provider's answer is passed on instead. */
function isUnavailable({ statusCode, headers }: IncomingMessage): boolean {
  const failure = headers['x-guildhall-failure'];
  return statusCode === 503 && (failure === undefined || failure === 'away');
}

interface Agents {
  readonly plain: Agent;
  readonly secure: SecureAgent;
}

/** Undefined when no response came. A retry is safe: a model call changes nothing. */
function sendOnce(
  { hall, run, fence }: Needs,
  { plain, secure }: Agents,
  { path, headers, body, signal }: GatewayCall,
): Promise<IncomingMessage | undefined> {
  const isSecure = hall.url.startsWith('https:');
  return new Promise((resolve) => {
    const request = (isSecure ? httpsRequest : httpRequest)(`${hall.url}/gateway${path}`, {
      method: 'POST',
      headers: {
        ...forwardedHeaders(headers),
        authorization: `Bearer ${hall.token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        'x-guildhall-run': run,
        'x-guildhall-fence': String(fence),
      },
      agent: isSecure ? secure : plain,
      signal,
    });
    request.on('error', () => resolve(undefined));
    request.on('response', resolve);
    request.end(body);
  });
}

const FORWARDED_HEADERS = ['accept', 'anthropic-version', 'anthropic-beta', 'user-agent', 'x-app'];

function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    FORWARDED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
