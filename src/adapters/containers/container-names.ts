import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Held by one process of this machine and released however that process ends. */
export interface NameLock extends Disposable {
  readonly name: string;
}

/** The lock on a container's name, or undefined while another process holds it. */
export async function lockName(name: string): Promise<NameLock | undefined> {
  const server = createServer();
  if (!(await isListening(server, lockPath(name)))) return undefined;
  server.unref();
  return { name, [Symbol.dispose]: () => server.close() };
}

/** Names can be longer than a socket path. */
function lockPath(name: string): string {
  return `\0guildhall-${createHash('sha256').update(name).digest('hex')}`;
}

/** The kernel gives an abstract socket to one process and frees it when the process ends. */
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

/** The second and later containers of an instance have a number. */
export function containerName(prefix: string, instance: string, count: number): string {
  return count === 1 ? `${prefix}-${instance}` : `${prefix}-${instance}-${count}`;
}

export function volumeName(prefix: string, instance: string): string {
  return `${prefix}-${instance}-state`;
}
