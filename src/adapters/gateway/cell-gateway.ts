import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHallLine, type HallLine } from './hall-line.ts';
import { isOwnToken, pinnedPath, readWhole } from './pinning.ts';
import { createSightings, type Sightings } from './sightings.ts';

export interface CellGatewayNeeds {
  /** Where the socket is made; the cell mounts it. */
  readonly socket: string;
  readonly hall: {
    readonly url: string;
    /** The worker's own, which no agent sees. */
    readonly token: string;
  };
  /** As the hall spells it: `r-12`. */
  readonly run: string;
  readonly fence: number;
  /** Called once when the hall says that the run is not this worker's any more. */
  readonly stale: () => void;
}

/** The model, as one cell reaches it. */
export interface CellGateway extends AsyncDisposable {
  readonly socket: string;
  /** Opens this gateway for the agent of this run, and nothing else. */
  readonly token: string;
  /** What became of the calls: the truth about failures, whatever the agent says. */
  readonly seen: Sightings;
}

/** Serves model calls of one run on a socket, and passes them to the hall with the worker's own token. */
export async function openCellGateway(needs: CellGatewayNeeds): Promise<CellGateway> {
  const token = `ghr_${randomBytes(32).toString('base64url')}`;
  const seen = createSightings(needs.stale);
  const line = createHallLine(needs);
  const server = createServer(LIMITS, (request, response) => {
    serve({ token, seen, line }, request, response).catch((fault: unknown) => {
      const said = fault instanceof Error ? fault.message : String(fault);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, said);
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(needs.socket);
  await once(server, 'listening');
  // Whoever the programs in the cell run as must reach it; the token is what opens it.
  chmodSync(needs.socket, 0o666);
  return {
    socket: needs.socket,
    token,
    seen,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      line.close();
      await closed;
    },
  };
}

const LIMITS = {
  headersTimeout: 60_000,
  requestTimeout: 120_000,
  maxHeaderSize: 16 * 1024,
} as const;
const MOST_BYTES = 32 * 1024 * 1024;
/** Each may hold a whole conversation in memory. */
const MOST_CONNECTIONS = 8;

interface Parts {
  readonly token: string;
  readonly seen: ReturnType<typeof createSightings>;
  readonly line: HallLine;
}

async function serve(parts: Parts, request: IncomingMessage, response: ServerResponse) {
  const { token, seen, line } = parts;
  if (!isOwnToken(request, token))
    return refuse(response, 401, 'the token is not that of this run');
  const path = pinnedPath(request);
  if (path === undefined) return refuse(response, 404, 'only POST /v1/messages is answered here');
  const body = await readWhole(request, MOST_BYTES);
  if (body === undefined) return refuse(response, 413, `a call has at most ${MOST_BYTES} bytes`);
  seen.called();
  const left = new AbortController();
  response.once('close', () => left.abort());
  const answer = await line.ask({ path, headers: request.headers, body, signal: left.signal });
  if (answer === undefined) {
    seen.failed({ failure: 'away', resetsAt: null });
    return refuse(response, 503, 'the hall does not answer');
  }
  seen.answered(answer);
  response.writeHead(answer.statusCode ?? 502, toldOf(answer));
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}

function toldOf({ headers }: IncomingMessage): Record<string, string> {
  const told = Object.entries(headers).filter(
    ([name]) => TOLD.includes(name) || name.startsWith('anthropic-'),
  );
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]));
}

const TOLD = ['content-type', 'request-id', 'retry-after', 'x-should-retry'];

function refuse(response: ServerResponse, status: number, message: string): void {
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error';
  // Closing on a client that still sends would reset the connection before it has read why.
  response.req.resume();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ type: 'error', error: { type, message: `guildhall: ${message}` } }),
  );
}
