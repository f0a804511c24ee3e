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

/** A wire that can break in every way a network can. */
export interface TcpProxy extends AsyncDisposable {
  /** The url, as it leads through the proxy. */
  readonly url: string;
  /** Where connections lead from now on. */
  target: string;
  /** Judges every piece that passes; what follows on the same way waits for the verdict. */
  meddle: (piece: Buffer, way: Way) => Verdict | Promise<Verdict>;
  /** Swallows everything from now on, new connections included. */
  silent: boolean;
  /** Milliseconds every piece takes. */
  delay: number;
  readonly connections: number;
  cutAll(): void;
  /** The connections that stand carry nothing any more, and neither side is told; others may be made. */
  forgetAll(): void;
  /** Resolves when the server has done with what was held. */
  release(): Promise<void>;
}

interface Wire {
  readonly client: Socket;
  readonly server: Socket;
  isHeld: boolean;
  isForgotten: boolean;
}

export async function startProxy(url: string): Promise<TcpProxy> {
  const wires = new Set<Wire>();
  const held: (() => Promise<unknown>)[] = [];

  const proxy: TcpProxy = {
    url: '',
    target: url,
    meddle: () => 'pass',
    silent: false,
    delay: 0,
    get connections() {
      return wires.size;
    },
    cutAll() {
      for (const wire of wires) cut(wire);
    },
    forgetAll() {
      for (const wire of wires) wire.isForgotten = true;
    },
    async release() {
      await Promise.all(held.splice(0).map((deliver) => deliver()));
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      proxy.cutAll();
      await once(listener, 'close');
    },
  };

  const listener = createServer((client) => {
    const { port, hostname } = new URL(proxy.target);
    const server = connect(Number(port), hostname);
    const wire = { client, server, isHeld: false, isForgotten: false };
    wires.add(wire);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // A socket that was cut reports it; the test looks at what follows from that, not at this.
      socket.on('error', () => cut(wire));
      socket.on('close', () => wires.delete(wire));
    }
    carry(wire, 'toServer');
    carry(wire, 'toClient');
  });

  function carry(wire: Wire, way: Way): void {
    const [from, to] = way === 'toServer' ? [wire.client, wire.server] : [wire.server, wire.client];
    let last = Promise.resolve();
    from.on('data', (piece) => {
      last = last.then(() => pass(piece));
    });
    async function pass(piece: Buffer): Promise<void> {
      const isLost = proxy.silent || wire.isForgotten;
      const verdict = isLost ? 'drop' : await proxy.meddle(piece, way);
      if (verdict === 'drop') return;
      if (verdict === 'cut') return cut(wire);
      if (verdict === 'hold') {
        wire.isHeld = true;
        held.push(() => once(to.end(piece), 'close'));
        wire.client.destroy();
        return;
      }
      if (proxy.delay > 0) await wait(proxy.delay);
      to.write(piece);
    }
    from.on('close', () => {
      if (!wire.isHeld && !wire.isForgotten && !proxy.silent) to.end();
    });
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const through = new URL(url);
  through.port = String(portOf(listener.address()));
  return Object.defineProperty(proxy, 'url', { value: through.href });
}

/** A reset, as a router that forgot the connection sends it. */
function cut({ client, server }: Wire): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
