import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface CallOptions {
  readonly token?: string | null;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP client of a hall with keep-alive connections. */
export class Caller {
  readonly url: string;
  readonly token: string | null;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

  constructor(url: string, token: string | null) {
    this.url = url;
    this.token = token;
  }

  /** The same connections with another token. */
  as(token: string | null): Caller {
    return new Caller(this.url, token);
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, undefined, options);
  }

  post(path: string, body: unknown = {}, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, body, options);
  }

  call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const token = options.token === undefined ? this.token : options.token;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string> = { ...options.headers };
    if (token !== null) headers['authorization'] = `Bearer ${token}`;
    if (options.key !== undefined) headers['idempotency-key'] = options.key;
    if (text !== undefined) {
      headers['content-type'] ??= 'application/json';
      headers['content-length'] = String(Buffer.byteLength(text));
    }
    return new Promise((resolve, reject) => {
      const sent = request(`${this.url}${path}`, { method, headers, agent: this.#agent }, (got) => {
        const chunks: Buffer[] = [];
        got.on('data', (chunk: Buffer) => chunks.push(chunk));
        got.on('error', reject);
        got.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = /json/.test(got.headers['content-type'] ?? '');
          const parsed = isJson && text !== '' ? JSON.parse(text) : text;
          resolve({ status: got.statusCode ?? 0, body: parsed, headers: got.headers });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
