import { connect, type Socket } from 'node:net';

interface Needs {
  readonly url: string;
  readonly token: string;
  readonly keyed?: boolean;
}

interface Waiting {
  readonly settle: (answer: { readonly status: number; readonly text: string }) => void;
  readonly fail: (fault: Error) => void;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** HTTP/1.1 on one socket: one request at a time, bodies of a stated length only. */
export class LeanConnection {
  readonly #socket: Socket;
  readonly #head: string;
  readonly #keyed: boolean;
  #waiting: Waiting | undefined;
  #received: Buffer | undefined;
  #fault: Error | undefined;

  constructor({ url, token, keyed = false }: Needs) {
    const { host, hostname, port } = new URL(url);
    this.#head = ` HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
    this.#keyed = keyed;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (part) => this.#take(part));
    this.#socket.on('error', (fault) => this.#fail(fault));
    this.#socket.on('close', () => this.#fail(new Error('the hall closed the connection')));
  }

  ask(
    method: string,
    path: string,
    body?: string,
  ): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((settle, fail) => {
      if (this.#fault) {
        fail(this.#fault);
        return;
      }
      this.#waiting = { settle, fail };
      const key =
        this.#keyed && method === 'POST' ? `Idempotency-Key: ${crypto.randomUUID()}\r\n` : '';
      if (body === undefined) {
        this.#socket.write(`${method} ${path}${this.#head}${key}\r\n`);
        return;
      }
      const length = Buffer.byteLength(body);
      this.#socket.write(
        `${method} ${path}${this.#head}${key}Content-Type: application/json\r\n` +
          `Content-Length: ${length}\r\n\r\n${body}`,
      );
    });
  }

  close(): void {
    this.#fault = new Error('the connection was closed here');
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    const received = this.#received ? Buffer.concat([this.#received, part]) : part;
    const end = received.indexOf(END_OF_HEAD);
    if (end < 0) {
      this.#received = received;
      return;
    }
    const head = received.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const length = lengthIn(head, status);
    if (length === undefined) {
      this.#fail(new Error(`an answer without a length: ${head}`));
      return;
    }
    const from = end + END_OF_HEAD.length;
    if (received.length < from + length) {
      this.#received = received;
      return;
    }
    this.#received = undefined;
    const text = received.toString('utf8', from, from + length);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.settle({ status, text });
  }

  #fail(fault: Error): void {
    this.#fault ??= fault;
    this.#waiting?.fail(fault);
    this.#waiting = undefined;
  }
}

function lengthIn(head: string, status: number): number | undefined {
  if (status === 204 || status === 304) return 0;
  const found = /\r\ncontent-length: *(\d+)/i.exec(head);
  return found ? Number(found[1]) : undefined;
}
