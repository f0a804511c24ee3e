import { once } from 'node:events';
import { createServer } from 'node:http';

/** A server on a Unix socket that answers with its name and the request. */
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
