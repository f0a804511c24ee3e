import { parentPort, workerData } from 'node:worker_threads';
import type { QueryRequest, QueryResult } from './background-query.ts';
import { createQueryRunner, withReader } from './connection.ts';
import { messageOf } from './fault.ts';

/** The other end of `background-query.ts`. */
parentPort?.postMessage(runRequest(workerData));

function runRequest({ path, sql, values }: QueryRequest): QueryResult {
  try {
    return { rows: withReader(path, (db) => createQueryRunner(db)(sql, values)) };
  } catch (error) {
    return { failed: messageOf(error) };
  }
}
