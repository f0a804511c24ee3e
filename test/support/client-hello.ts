import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** The first bytes that a real TLS client sends when it asks for the host. */
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
