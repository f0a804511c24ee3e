import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Question } from './aside.ts';
import { asking, withReader } from './connection.ts';
import { wordsOf } from './fault.ts';

/** The other end of `aside.ts`. */
parentPort?.postMessage(answerTo(workerData));

function answerTo({ path, sql, values }: Question): Answer {
  try {
    return { rows: withReader(path, (db) => asking(db)(sql, values)) };
  } catch (error) {
    return { failed: wordsOf(error) };
  }
}
