import type { TaskId, ThreadId } from '../../domain/ids.ts';
import { knownPullRequest, type ThreadOnForge } from '../../domain/thread.ts';
import type { TaskQuery, TaskText } from '../../ports/store.ts';
import type { Dialect, RunQuery } from './dialect.ts';
import { branchWord, linksIn, linkWord } from './search-names.ts';
import { type SearchTerm, termsIn, WORDS_FORMAT, wordsIn } from './search-words.ts';
import { forgeIn } from './thread-columns.ts';

/** The key in `meta` for the event that the index reaches. */
export const INDEXED_KEY = `search_index_${WORDS_FORMAT}`;

/** An entry of the index. */
export interface IndexedTask {
  readonly id: TaskId;
  readonly words: readonly string[];
}

/** The event that the index reaches; 0 for an index that is missing or of another format. */
export async function indexedTo(runQuery: RunQuery): Promise<number> {
  const sql = `SELECT value FROM meta WHERE key = '${INDEXED_KEY}'`;
  const [mark] = await runQuery<readonly [string]>(sql, []);
  return Number(mark?.[0] ?? 0);
}

type TextCells = readonly [id: TaskId, title: string, body: string | null, facts: string | null];

const TEXTS = `SELECT task.id, task.title, task_text.body, thread.facts FROM task
  JOIN thread ON thread.id = task.thread LEFT JOIN task_text ON task_text.id = task.id`;

/** The present words of tasks, and of all tasks of threads. */
export async function readWords(
  dialect: Dialect,
  runQuery: RunQuery,
  { tasks, threads }: { readonly tasks: readonly TaskId[]; readonly threads: readonly ThreadId[] },
): Promise<readonly IndexedTask[]> {
  const read = async (column: string, ids: readonly number[]) => {
    if (ids.length === 0) return [];
    const sql = `${TEXTS} WHERE ${dialect.among(column)}`;
    return runQuery<TextCells>(sql, [dialect.list(ids)]);
  };
  const rows = [...(await read('task.id', tasks)), ...(await read('task.thread', threads))];
  const byId = new Map(rows.map((cells) => [cells[0], cells]));
  return [...byId.values()].map(([id, title, body, facts]) => ({
    id,
    words: indexedWords({ title, body: body ?? '' }, forgeIn(facts)),
  }));
}

/** PostgreSQL stores at most 1 MB of words in a row; only a text that is made for it has more. */
const MAX_BYTES = 1_000_000;

/** Everything by which a task is found. */
export function indexedWords(text: TaskText, forge: ThreadOnForge): readonly string[] {
  const words = new Set<string>();
  let bytes = 0;
  for (const word of searchableWords(text, forge)) {
    if (words.has(word)) continue;
    bytes += Buffer.byteLength(word);
    if (bytes > MAX_BYTES) break;
    words.add(word);
  }
  return [...words];
}

function* searchableWords(
  { title, body }: TaskText,
  { branch, issue, pr }: ThreadOnForge,
): Generator<string> {
  yield* wordsIn(title);
  if (branch !== null) {
    yield branchWord(branch);
    yield* wordsIn(branch);
  }
  for (const linked of [issue, knownPullRequest(pr)]) {
    if (linked === null) continue;
    yield linkWord(linked.url);
    yield* wordsIn(linked.url);
  }
  for (const url of [...linksIn(title), ...linksIn(body)]) yield linkWord(url);
  yield* wordsIn(body);
}

/**
 * What a search looks for; undefined for a query that is no search, and empty when nothing can match,
 * because its text has no words.
 */
export function searchTerms({
  text,
  branch,
  link,
}: Pick<TaskQuery, 'text' | 'branch' | 'link'>): readonly SearchTerm[] | undefined {
  if (text === undefined && branch === undefined && link === undefined) return undefined;
  const words = text === undefined ? [] : termsIn(text);
  if (text !== undefined && words.length === 0) return [];
  return [
    ...words,
    ...(branch === undefined ? [] : [exactly(branchWord(branch))]),
    ...(link === undefined ? [] : [exactly(linkWord(link))]),
  ];
}

function exactly(word: string): SearchTerm {
  return { word, isPrefix: false };
}
