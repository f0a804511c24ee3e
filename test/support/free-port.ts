import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 10_000;
const BLOCKS = 220;
const PORTS_OF_BLOCK = 100;

let taken = 0;

/**
 * A port for a server that is started later and has to know it before.
 *
 * Not one the system picks: between its release and the server's start any listener on port 0 in
 * another suite may be given the same. These lie below the ports the system gives away, and each
 * process of the test run has a hundred of its own.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (process.pid % BLOCKS) * PORTS_OF_BLOCK + (taken++ % PORTS_OF_BLOCK);
    if (await isFree(port)) return port;
    if (taken > PORTS_OF_BLOCK * 10) throw new Error('none of the ports of this process is free');
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
