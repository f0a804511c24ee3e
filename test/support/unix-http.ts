import { once } from 'node:events';
import { createServer } from 'node:http';

/** A server on a Unix socket that says who it is and what it was asked. */
export async function httpOn(
  path: string,
  name: string,
): Promise<AsyncDisposable & { path: string }> {
  const server = createServer((request, response) => response.end(`${name} got ${request.url}`));
  server.listen(path);
  await once(server, 'listening');
  return {
    path,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
