import { Agent, request } from 'node:http';
import { LeanConnection } from './lean-connection.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One keep-alive connection to a hall, for one request at a time. */
export interface Connection {
  ask(method: Method, path: string, body?: string): Promise<Answer>;
  close(): void;
}

export interface ConnectionNeeds {
  readonly url: string;
  readonly token: string;
  /** Sends an idempotency key with each request, which the hall then has to store. */
  readonly keyed?: boolean;
}

/**
 * `lean` writes HTTP/1.1 on a socket of its own and reads only what it needs, as the clients of
 * PostgreSQL and Redis do with their protocols. `node` is node:http with a keep-alive agent.
 */
export type ClientKind = 'lean' | 'node';

export function connect(kind: ClientKind, needs: ConnectionNeeds): Connection {
  return kind === 'lean' ? new LeanConnection(needs) : connectNode(needs);
}

function connectNode({ url, token, keyed }: ConnectionNeeds): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(url);
  const authorization = `Bearer ${token}`;
  return {
    ask: (method, path, body) =>
      new Promise((settle, fail) => {
        const headers: Record<string, string | number> = { authorization };
        if (keyed && method === 'POST') headers['idempotency-key'] = crypto.randomUUID();
        if (body !== undefined) {
          headers['content-type'] = 'application/json';
          headers['content-length'] = Buffer.byteLength(body);
        }
        const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', fail);
          response.on('end', () => {
            const text = Buffer.concat(parts).toString('utf8');
            settle({ status: response.statusCode ?? 0, text });
          });
        });
        sent.on('error', fail);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** The body of a response, or an error with the request and its status. */
export async function expect<T>(
  connection: Connection,
  method: Method,
  path: string,
  body?: object,
): Promise<T> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { status, text } = await connection.ask(method, path, sent);
  if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
