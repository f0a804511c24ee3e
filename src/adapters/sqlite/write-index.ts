import type { IndexChange } from '../../ports/store.ts';
import { INDEXED_KEY, type IndexedTask } from '../sql/search-index.ts';
import type { Connection } from './connection.ts';
import type { InTransaction } from './transaction.ts';

const MARK = `SELECT value FROM meta WHERE key = '${INDEXED_KEY}'`;

const MOVE = `INSERT INTO meta (key, value) VALUES ('${INDEXED_KEY}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

const PUT = 'INSERT OR REPLACE INTO task_search (rowid, words) VALUES (?, ?)';

/** Merges up to this many pages of the index. The command refuses a number that is bound as a real. */
const MERGE = "INSERT INTO task_search (task_search, rank) VALUES ('merge', CAST(? AS INTEGER))";

/** As much merging as new words need, in small parts: 16 pages take 2 ms (measured). */
const MERGED_PAGES = 16;
const WORDS_PER_PAGE = 64;

/** Writes entries of the search index. Call it with the tables up to date. */
export function createIndexWriter(
  db: Connection,
  inTransaction: InTransaction,
): (change: IndexChange, tasks: readonly IndexedTask[]) => boolean {
  const mark = db.prepare<[], string>(MARK).pluck();
  const move = db.prepare<[string]>(MOVE);
  const put = db.prepare<[number, string]>(PUT);
  const merge = db.prepare<[number]>(MERGE);

  function putAll(tasks: readonly IndexedTask[]): void {
    let count = 0;
    for (const { id, words } of tasks) {
      put.run(id, words.join(' '));
      count += words.length;
    }
    if (count > 0) merge.run(MERGED_PAGES + Math.ceil(count / WORDS_PER_PAGE));
  }

  return ({ from, to }, tasks) =>
    inTransaction('write the search index', () => {
      if (Number(mark.get() ?? 0) !== from) return false;
      putAll(tasks);
      move.run(String(to));
      return true;
    });
}
