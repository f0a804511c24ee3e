import type { TaskId } from '../../domain/ids.ts';
import { NOT_ON_FORGE } from '../../domain/thread.ts';
import type { IndexChange } from '../../ports/store.ts';
import { indexedWords } from '../sql/search-index.ts';
import type { SearchTerm } from '../sql/search-words.ts';
import type { MemoryTables } from './tables.ts';

/** The words of tasks as they were when they were indexed. */
export interface MemorySearchIndex {
  reaches(): number;
  index(tables: MemoryTables, change: IndexChange): boolean;
  has(task: TaskId, terms: readonly SearchTerm[]): boolean;
}

export function createMemorySearchIndex(): MemorySearchIndex {
  const words = new Map<TaskId, ReadonlySet<string>>();
  let reached = 0;
  return {
    reaches: () => reached,
    index(tables, { from, to, tasks, threads }) {
      if (from !== reached) return false;
      const ofThreads = threads.flatMap((id) => tables.tasksByThread.get(id) ?? []);
      for (const id of [...tasks, ...ofThreads]) words.set(id, wordsOf(tables, id));
      reached = to;
      return true;
    },
    has(task, terms) {
      const own = words.get(task) ?? NO_WORDS;
      return terms.length > 0 && terms.every((term) => hasTerm(own, term));
    },
  };
}

const NO_WORDS: ReadonlySet<string> = new Set();

function wordsOf({ tasks, threads }: MemoryTables, id: TaskId): ReadonlySet<string> {
  const record = tasks.get(id);
  if (!record) return NO_WORDS;
  const { forge = NOT_ON_FORGE } = threads.get(record.task.thread)?.thread ?? {};
  return new Set(indexedWords(record, forge));
}

function hasTerm(words: ReadonlySet<string>, { word, isPrefix }: SearchTerm): boolean {
  if (!isPrefix) return words.has(word);
  return [...words].some((each) => each.startsWith(word));
}
