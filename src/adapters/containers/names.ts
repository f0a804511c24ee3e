import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Held by one process of this machine, and free again when it has ended, however. */
export interface NameLock extends Disposable {
  readonly name: string;
}

/** The right to a container's name, or undefined while somebody else has it. */
export async function lockName(name: string): Promise<NameLock | undefined> {
  const server = createServer();
  if (!(await isListening(server, lockPath(name)))) return undefined;
  server.unref();
  return { name, [Symbol.dispose]: () => server.close() };
}

/** Names can be longer than such a path. */
function lockPath(name: string): string {
  return `\0guildhall-${createHash('sha256').update(name).digest('hex')}`;
}

/** The kernel gives a socket without a file to one process and takes it back at its end. */
async function isListening(server: Server, path: string): Promise<boolean> {
  server.listen({ path });
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** From the second of an instance on, the container has a number. */
export function containerName(prefix: string, instance: string, count: number): string {
  return count === 1 ? `${prefix}-${instance}` : `${prefix}-${instance}-${count}`;
}

export function volumeName(prefix: string, instance: string): string {
  return `${prefix}-${instance}-state`;
}
