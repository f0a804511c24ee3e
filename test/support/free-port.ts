import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 10_000;
const BLOCKS = 220;
const PORTS_OF_BLOCK = 100;

let taken = 0;
let own: Promise<number> | undefined;

/**
 * A port for a server that is started later and must know it in advance. The system does not pick it: between
 * its release and the start of the server, a listener on port 0 in another suite could get the same one. These
 * ports are below those that the system assigns, and each process of any test run on this machine has a hundred
 * of its own.
 */
export async function freePort(): Promise<number> {
  own ??= claimBlock();
  const first = FIRST + (await own) * PORTS_OF_BLOCK;
  for (;;) {
    const port = first + (taken++ % PORTS_OF_BLOCK);
    if (await isFree(port)) return port;
    if (taken > PORTS_OF_BLOCK * 10) throw new Error('this process has no free port left');
  }
}

/** Holds a name for the lifetime of this process; the system releases it however the process ends. */
async function claimBlock(): Promise<number> {
  for (let n = 0; n < BLOCKS; n += 1) {
    const block = (process.pid + n) % BLOCKS;
    const claim = createServer();
    try {
      claim.listen(`\0guildhall-test-ports-${block}`);
      await once(claim, 'listening');
    } catch {
      continue;
    }
    claim.unref();
    return block;
  }
  throw new Error('other processes hold all the ports for tests');
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
