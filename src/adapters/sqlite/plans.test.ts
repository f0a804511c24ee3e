import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { RunId, TaskId, ThreadId, WorkerId } from '../../domain/ids.ts';
import { TASK_STATES } from '../../domain/task.ts';
import { type RunQuery, SQLITE } from '../sql/dialect.ts';
import { loadOpen } from '../sql/load-open-work.ts';
import { createReads, recallKeys } from '../sql/reads.ts';
import { readWords } from '../sql/search-index.ts';
import { type Connection, openReader } from './connection.ts';
import { openSqlite } from './open.ts';

/** Returns no rows and records the query plan of each statement. */
function explaining(db: Connection, plans: Map<string, readonly string[]>): RunQuery {
  return async (sql, values) => {
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(values as string[]));
    plans.set(
      sql,
      rows.map((row) => (row as { detail: string }).detail),
    );
    return [];
  };
}

/** A full table scan or a sort: both slow down as the table grows. */
function isSlow(step: string): boolean {
  if (/VIRTUAL TABLE INDEX \d+:.*M/.test(step)) return false;
  if (/^SCAN (heartbeat|settings|half|json_each|\(SELECT|CONSTANT)/.test(step)) return false;
  if (/^SCAN (worker|run|holder|task|thread) USING (COVERING )?INDEX \w+_(active|open)/.test(step))
    return false;
  return /^SCAN|TEMP B-TREE/.test(step);
}

test('no SQLite query scans a whole table or sorts its results', async () => {
  using folder = tempFolder();
  const path = folder.file('hall.db');
  await (await openSqlite({ path, checkUpTo: 0 })).close();
  const plans = new Map<string, readonly string[]>();
  const db = openReader(path);
  await askEverything(explaining(db, plans));
  db.close();
  assert.equal(plans.size > 40, true);
  const long = [...plans].filter(([sql]) => !/ORDER BY seq DESC LIMIT 1$/.test(sql));
  const slow = long.filter(([, steps]) => steps.some(isSlow));
  assert.deepEqual(slow, []);
});

async function askEverything(runQuery: RunQuery): Promise<void> {
  const reads = createReads(SQLITE, runQuery);
  const page = { limit: 50 };
  for (const states of [undefined, ...TASK_STATES.map((state) => [state]), TASK_STATES]) {
    for (const more of [
      {},
      { project: 'shop' },
      { type: 'dev' },
      { text: 'x', before: 9 as TaskId },
      { text: 'two words', branch: 'hall/dev/issue-1', link: 'https://a.example' },
    ]) {
      await reads.tasks({ ...page, ...more, ...(states && { states }) });
    }
  }
  for (const more of [{}, { project: 'shop' }, { before: 9 as ThreadId }]) {
    await reads.threads({ ...page, ...more });
  }
  for (const newestFirst of [true, false]) {
    for (const more of [
      {},
      { project: 'shop' },
      { task: 9 as TaskId },
      { types: ['TaskPosted'] },
    ]) {
      await reads.events({ ...page, ...more, newestFirst });
    }
  }
  await reads.indexedTo();
  await readWords(SQLITE, runQuery, { tasks: [1 as TaskId], threads: [1 as ThreadId] });
  await reads.tasksById([1 as TaskId]);
  await reads.threadsById([1 as ThreadId]);
  await reads.tasksOfThread(1 as ThreadId);
  await reads.childrenOf(1 as ThreadId);
  await reads.run(1 as RunId);
  await reads.runsOfTask(1 as TaskId);
  await reads.worker(1 as WorkerId);
  await reads.notesOfThread(1 as ThreadId);
  await reads.log(1 as RunId, 0, 10);
  await reads.logSize(1 as RunId);
  await reads.seqAt(1);
  await reads.sealed(0, 10);
  await recallKeys(SQLITE, runQuery, {
    responses: ['key'],
    tasks: [1 as TaskId],
    threads: [1 as ThreadId],
    runs: [1 as RunId],
  });
  for await (const _ of reads.dump()) assert.fail('a line of an empty dump');
  await loadOpen(
    { dialect: SQLITE, runQuery },
    () => undefined,
    () => undefined,
  );
}
