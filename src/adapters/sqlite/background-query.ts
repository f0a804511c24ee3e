import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The input of the thread. */
export interface QueryRequest {
  readonly path: string;
  readonly sql: string;
  readonly values: readonly string[];
}

export type QueryResult =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly failed: string };

/**
 * Runs one statement on its own connection in its own thread: checking or copying a large file takes
 * seconds, and the hall must keep answering meanwhile.
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
