import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** The first bytes of a real TLS client that connects to the host. */
export function clientHello(servername: string): Promise<Buffer> {
  return new Promise((settle) => {
    const socket = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _, done) {
        settle(chunk);
        done();
      },
    });
    connect({ socket, servername }).on('error', () => undefined);
  });
}
