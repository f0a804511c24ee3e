import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * Runs one statement on a connection of its own in a thread of its own: a check or a copy of a large
 * file takes seconds, in which the hall goes on answering. The code is a text so that it needs no
 * file beside it, however the hall was packed.
 */
export function askAside(path: string, sql: string, values: readonly string[]): Promise<unknown[]> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  const worker = new Worker(CODE, { eval: true, workerData: { driver, path, sql, values } });
  return new Promise((settle, fail) => {
    worker.once('message', (rows: unknown[]) => settle(rows));
    worker.once('error', fail);
    worker.once('exit', (code) => fail(new Error(`the thread that ran ${sql} ended with ${code}`)));
  });
}

const CODE = `
const { parentPort, workerData: { driver, path, sql, values } } = require('node:worker_threads');
const Database = require(driver);
const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5000 });
db.pragma('trusted_schema = OFF');
const statement = db.prepare(sql);
const rows = statement.reader ? statement.raw().all(...values) : [statement.run(...values).changes];
db.close();
parentPort.postMessage(rows);
`;
