import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What happens to a chunk on its way through the proxy. */
export type Verdict =
  | 'pass'
  /** Dropped; both sides keep the connection. */
  | 'drop'
  /** Dropped, and both sides lose the connection. */
  | 'cut'
  /** Held while the client loses its connection; `release` delivers it to the server later. */
  | 'hold';

export type Way = 'toServer' | 'toClient';

interface Wire {
  readonly client: Socket;
  readonly server: Socket;
  isHeld: boolean;
  isForgotten: boolean;
}

export async function startProxy(url: string): Promise<TcpProxy> {
  const proxy = new TcpProxy(url);
  await proxy.listen();
  return proxy;
}

/** A network that can break in every way. */
export class TcpProxy implements AsyncDisposable {
  /** The target of new connections. */
  target: string;
  /** Judges every chunk that passes; later chunks in the same direction wait for the verdict. */
  meddle: (piece: Buffer, way: Way) => Verdict | Promise<Verdict> = () => 'pass';
  /** Drops everything from now on, including new connections. */
  silent = false;
  /** Milliseconds of delay for every chunk. */
  delay = 0;

  readonly #origin: string;
  readonly #wires = new Set<Wire>();
  readonly #held: (() => Promise<unknown>)[] = [];
  readonly #listener = createServer((client) => this.#join(client));

  constructor(url: string) {
    this.#origin = url;
    this.target = url;
  }

  async listen(): Promise<void> {
    this.#listener.listen(0, '127.0.0.1');
    await once(this.#listener, 'listening');
  }

  /** The original URL with the address of the proxy. */
  get url(): string {
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('no port was given');
    const url = new URL(this.#origin);
    url.port = String(address.port);
    return url.href;
  }

  cutAll(): void {
    for (const wire of this.#wires) cut(wire);
  }

  /** Existing connections carry nothing from now on, and neither side is notified; new ones can be made. */
  forgetAll(): void {
    for (const wire of this.#wires) wire.isForgotten = true;
  }

  /** Resolves when the server has handled what was held. */
  async release(): Promise<void> {
    await Promise.all(this.#held.splice(0).map((deliver) => deliver()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    this.cutAll();
    await once(this.#listener, 'close');
  }

  #join(client: Socket): void {
    const { port, hostname } = new URL(this.target);
    const server = connect(Number(port), hostname);
    const wire = { client, server, isHeld: false, isForgotten: false };
    this.#wires.add(wire);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // A socket that was cut reports an error; the test checks the consequences, not the error.
      socket.on('error', () => cut(wire));
      socket.on('close', () => {
        if (client.destroyed && server.destroyed) this.#wires.delete(wire);
      });
    }
    this.#carry(wire, 'toServer');
    this.#carry(wire, 'toClient');
  }

  #carry(wire: Wire, way: Way): void {
    const [from, to] = way === 'toServer' ? [wire.client, wire.server] : [wire.server, wire.client];
    let last = Promise.resolve();
    from.on('data', (piece) => {
      last = last.then(() => this.#pass(wire, way, piece));
    });
    from.on('close', () => {
      if (!wire.isHeld && !wire.isForgotten && !this.silent) to.end();
    });
  }

  async #pass(wire: Wire, way: Way, piece: Buffer): Promise<void> {
    const to = way === 'toServer' ? wire.server : wire.client;
    const isLost = this.silent || wire.isForgotten;
    const verdict = isLost ? 'drop' : await this.meddle(piece, way);
    if (verdict === 'drop') return;
    if (verdict === 'cut') return cut(wire);
    if (verdict === 'hold') {
      wire.isHeld = true;
      this.#held.push(() => once(to.end(piece), 'close'));
      wire.client.destroy();
      return;
    }
    if (this.delay > 0) await wait(this.delay);
    to.write(piece);
  }
}

/** A reset, as sent by a router that forgot the connection. */
function cut({ client, server }: Wire): void {
  for (const socket of [client, server]) {
    // Node never releases a socket that is reset before it is connected, twice, or after its end.
    if (socket.connecting || socket.writableEnded) socket.destroy();
    else if (!socket.destroyed) socket.resetAndDestroy();
  }
}
