import { createRequire } from 'node:module';
import type { Reply, Send } from '../api/client.ts';

/**
 * Not `import`: that reads every export of node:http, and one of them loads all of `fetch`. A short command then
 * takes 50 ms more processor time, as it does with `fetch` itself.
 */
const load = createRequire(import.meta.url);

/** Sends a request, and answers once the whole response is here. Follows no redirects. */
export function sendRequest(
  url: string,
  { method = 'GET', headers = {}, body, signal }: Parameters<Send>[1],
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const { request }: typeof import('node:http') = load(
    url.startsWith('https:') ? 'node:https' : 'node:http',
  );
  const sent = request(url, { method, headers, ...(signal && { signal }) }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const { statusCode: status = 0, headers: received } = response;
      const text = Buffer.concat(chunks).toString();
      resolve({
        status,
        ok: status >= 200 && status < 300,
        headers: { get: (name) => received[name]?.toString() ?? null },
        text: async () => text,
      });
    });
  });
  sent.on('error', (fault) => reject(firstOf(fault)));
  sent.end(body);
  return promise;
}

/** A name with several addresses fails with one fault for each. */
function firstOf(fault: Error): unknown {
  return fault instanceof AggregateError ? fault.errors[0] : fault;
}
