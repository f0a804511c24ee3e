import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What the thread is started with. */
export interface QueryRequest {
  readonly path: string;
  readonly sql: string;
  readonly values: readonly string[];
}

export type QueryResult =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly failed: string };

/**
 * Runs one statement on a connection of its own in a thread of its own: a check or a copy of a large
 * file takes seconds, in which the hall goes on answering.
 */
export async function queryInBackground(
  request: QueryRequest,
): Promise<readonly (readonly unknown[])[]> {
  const script = join(
    import.meta.dirname,
    `background-query-thread${extname(import.meta.filename)}`,
  );
  const worker = new Worker(script, { workerData: request });
  const result: QueryResult = (await once(worker, 'message'))[0];
  if ('rows' in result) return result.rows;
  throw new Error(result.failed);
}
