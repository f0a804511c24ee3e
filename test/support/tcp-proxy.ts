import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What becomes of a piece on its way through the proxy. */
export type Verdict =
  | 'pass'
  /** Swallowed; both sides still believe in the connection. */
  | 'drop'
  /** Swallowed, and both sides lose the connection. */
  | 'cut'
  /** Kept while the client loses its connection; `release` delivers it to the server after all. */
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

/** A network that can break in every way a network can. */
export class TcpProxy implements AsyncDisposable {
  /** Where connections lead from now on. */
  target: string;
  /** Judges every piece that passes; what follows on the same way waits for the verdict. */
  meddle: (piece: Buffer, way: Way) => Verdict | Promise<Verdict> = () => 'pass';
  /** Swallows everything from now on, new connections included. */
  silent = false;
  /** Milliseconds every piece takes. */
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

  /** The url it was made for, as it leads through the proxy. */
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

  /** The connections that stand carry nothing any more, and neither side is told; others may be made. */
  forgetAll(): void {
    for (const wire of this.#wires) wire.isForgotten = true;
  }

  /** Resolves when the server has done with what was held. */
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
      // A socket that was cut reports it; the test looks at what follows from that, not at this.
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

/** A reset, as a router that forgot the connection sends it. */
function cut({ client, server }: Wire): void {
  for (const socket of [client, server]) {
    // Node never lets go of one that is reset before it is connected, twice, or after its end.
    if (socket.connecting || socket.writableEnded) socket.destroy();
    else if (!socket.destroyed) socket.resetAndDestroy();
  }
}
