import type { IndexChange } from '../../ports/store.ts';
import type { RunQuery } from '../sql/dialect.ts';
import { INDEXED_KEY, type IndexedTask } from '../sql/search-index.ts';

/**
 * One statement, so both or neither. A missing mark counts as 0. `array_to_tsvector` takes the words as
 * they are.
 */
const WRITE = `WITH moved AS (
    INSERT INTO meta AS mark (key, value)
    SELECT '${INDEXED_KEY}', ?::text
    WHERE ?::text = '0' OR EXISTS (SELECT FROM meta WHERE key = '${INDEXED_KEY}')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE mark.value = ?::text
    RETURNING 1
  ), written AS (
    INSERT INTO task_search (id, words)
    SELECT given.id, array_to_tsvector(string_to_array(given.words, ' '))
    FROM unnest(?::bigint[], ?::text[]) AS given(id, words) WHERE EXISTS (SELECT FROM moved)
    ON CONFLICT (id) DO UPDATE SET words = excluded.words
  )
  SELECT 1 FROM moved`;

/** Writes entries of the search index. */
export async function writeIndex(
  runQuery: RunQuery,
  { from, to }: IndexChange,
  tasks: readonly IndexedTask[],
): Promise<boolean> {
  const ids = tasks.map(({ id }) => id);
  const words = tasks.map((task) => task.words.join(' '));
  const moved = await runQuery(WRITE, [String(to), String(from), String(from), ids, words]);
  return moved.length === 1;
}
