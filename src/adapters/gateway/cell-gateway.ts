import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHallGatewayClient, type HallGatewayClient } from './hall-gateway-client.ts';
import { createModelCalls, type ModelCalls } from './model-calls.ts';
import { allowedPath, hasRunToken, readBody } from './request-validation.ts';

interface CellGatewayNeeds {
  /** Path of the socket to create; the cell mounts it. */
  readonly socket: string;
  readonly hall: {
    readonly url: string;
    /** The worker's own token, which no agent sees. */
    readonly token: string;
  };
  /** As the hall spells it: `r-12`. */
  readonly run: string;
  readonly fence: number;
  /** Called once when the hall says that this worker no longer holds the run. */
  readonly onStale: () => void;
}

/** One cell's access to the model. */
export interface CellGateway extends AsyncDisposable {
  readonly socket: string;
  /** Grants the agent of this run access to this gateway, and to nothing else. */
  readonly token: string;
  /** The outcome of the calls: the truth about failures, whatever the agent reports. */
  readonly modelCalls: ModelCalls;
}

/** Serves model calls of one run on a socket and forwards them to the hall with the worker's token. */
export async function openCellGateway(needs: CellGatewayNeeds): Promise<CellGateway> {
  const token = `ghr_${randomBytes(32).toString('base64url')}`;
  const modelCalls = createModelCalls(needs.onStale);
  const hall = createHallGatewayClient(needs);
  const server = createServer(LIMITS, (request, response) => {
    serve({ token, modelCalls, hall }, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, message);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(needs.socket);
  await once(server, 'listening');
  // Any user in the cell must be able to connect; the token protects it.
  chmodSync(needs.socket, 0o666);
  return {
    socket: needs.socket,
    token,
    modelCalls,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      hall.close();
      await closed;
    },
  };
}

const LIMITS = {
  headersTimeout: 60_000,
  requestTimeout: 120_000,
  maxHeaderSize: 16 * 1024,
} as const;
const MAX_BYTES = 32 * 1024 * 1024;
/** Each may hold a whole conversation in memory. */
const MAX_CONNECTIONS = 8;

interface GatewayParts {
  readonly token: string;
  readonly modelCalls: ReturnType<typeof createModelCalls>;
  readonly hall: HallGatewayClient;
}

async function serve(parts: GatewayParts, request: IncomingMessage, response: ServerResponse) {
  const { token, modelCalls, hall } = parts;
  if (!hasRunToken(request, token))
    return refuse(response, 401, 'this is not the token of this run');
  const path = allowedPath(request);
  if (path === undefined) return refuse(response, 404, 'only POST /v1/messages is served here');
  const body = await readBody(request, MAX_BYTES);
  if (body === undefined)
    return refuse(response, 413, `a call may have at most ${MAX_BYTES / 1024 ** 2} MiB`);
  modelCalls.recordCall();
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const hallResponse = await hall.send({
    path,
    headers: request.headers,
    body,
    signal: disconnected.signal,
  });
  if (hallResponse === undefined) {
    modelCalls.recordFailure({ failure: 'away', resetsAt: null });
    return refuse(response, 503, 'the hall does not respond');
  }
  modelCalls.recordResponse(hallResponse);
  response.writeHead(hallResponse.statusCode ?? 502, responseHeaders(hallResponse));
  hallResponse.on('error', () => response.destroy());
  hallResponse.pipe(response);
}

function responseHeaders({ headers }: IncomingMessage): Record<string, string> {
  const passed = Object.entries(headers).filter(
    ([name]) => RESPONSE_HEADERS.includes(name) || name.startsWith('anthropic-'),
  );
  return Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
}

const RESPONSE_HEADERS = ['content-type', 'request-id', 'retry-after', 'x-should-retry'];

function refuse(response: ServerResponse, status: number, message: string): void {
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error';
  // Closing while the client still sends would reset the connection before it reads the reason.
  response.req.resume();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ type: 'error', error: { type, message: `guildhall: ${message}` } }),
  );
}
