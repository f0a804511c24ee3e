import { connect, type Socket } from 'node:net';

interface Needs {
  readonly url: string;
  readonly token: string;
  readonly keyed?: boolean;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Waiting {
  readonly settle: (answer: Answer) => void;
  readonly fail: (fault: Error) => void;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * HTTP/1.1 on one socket: one request at a time, bodies of a stated length only. Connects with the
 * first request, and again when the other side has closed the connection between two.
 */
export class LeanConnection {
  readonly #address: { readonly host: string; readonly port: number };
  readonly #head: string;
  readonly #keyed: boolean;
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  #received: Buffer | undefined;

  constructor({ url, token, keyed = false }: Needs) {
    const { host, hostname, port } = new URL(url);
    this.#address = { host: hostname, port: Number(port) };
    this.#head = ` HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
    this.#keyed = keyed;
  }

  ask(method: string, path: string, body?: string): Promise<Answer> {
    return new Promise((settle, fail) => {
      this.#waiting = { settle, fail };
      this.#socket ??= this.#connect();
      this.#socket.write(this.#request(method, path, body));
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #request(method: string, path: string, body: string | undefined): string {
    const isKeyed = this.#keyed && method === 'POST';
    const key = isKeyed ? `Idempotency-Key: ${crypto.randomUUID()}\r\n` : '';
    const head = `${method} ${path}${this.#head}${key}`;
    if (body === undefined) return `${head}\r\n`;
    const length = Buffer.byteLength(body);
    return `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  }

  #connect(): Socket {
    const socket = connect({ ...this.#address, noDelay: true });
    socket.on('data', (part) => this.#take(typeof part === 'string' ? Buffer.from(part) : part));
    socket.on('error', (fault) => this.#lose(fault));
    socket.on('close', () => this.#lose(new Error('the hall closed the connection')));
    return socket;
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
      this.#lose(new Error(`a response without a content length: ${head}`));
      return;
    }
    const from = end + END_OF_HEAD.length;
    if (received.length < from + length) {
      this.#received = received;
      return;
    }
    this.#received = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.settle({ status, text: received.toString('utf8', from, from + length) });
  }

  #lose(fault: Error): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#received = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.fail(fault);
  }
}

function lengthIn(head: string, status: number): number | undefined {
  if (status === 204 || status === 304) return 0;
  const found = /\r\ncontent-length: *(\d+)/i.exec(head);
  return found ? Number(found[1]) : undefined;
}
