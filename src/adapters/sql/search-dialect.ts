import type { SearchTerm } from './search-words.ts';

/** The full-text index of a database. Its words come from `search-words.ts`, whatever the database. */
export interface SearchDialect {
  /** Creates the table `task_search`. */
  readonly create: readonly string[];
  /** The task of an entry. */
  readonly key: string;
  /** A placeholder for a bound on that key. */
  readonly bound: string;
  /** True for entries that have all terms; the next placeholder binds them. */
  readonly matches: string;
  readonly termsValue: (terms: readonly SearchTerm[]) => string;
}

/**
 * The `ascii` tokenizer splits at spaces and keeps everything beyond ASCII, so it leaves our words as
 * they are. The index has no text and no positions. Beginnings of 3 to 5 letters are indexed too: to find
 * all longer words with a common beginning takes 160 ns for each task (measured). SQLite would
 * merge the parts of the index whenever it likes, for up to 90 ms; the writer of the index merges a few
 * pages at a time instead.
 */
export const SQLITE_SEARCH: SearchDialect = {
  create: [
    `CREATE VIRTUAL TABLE task_search USING fts5(words, content='', contentless_delete=1,
  detail=none, tokenize='ascii', prefix='3 4 5')`,
    "INSERT INTO task_search (task_search, rank) VALUES ('automerge', 0)",
    "INSERT INTO task_search (task_search, rank) VALUES ('crisismerge', 1000)",
  ],
  key: 'task_search.rowid',
  // The driver binds numbers as reals, and the index is searched only from an integer on.
  bound: 'CAST(? AS INTEGER)',
  matches: 'task_search MATCH ?',
  termsValue: (terms) =>
    terms.map(({ word, isPrefix }) => `"${word}"${isPrefix ? ' *' : ''}`).join(' AND '),
};

export const POSTGRES_SEARCH: SearchDialect = {
  create: [
    'CREATE TABLE task_search (id bigint PRIMARY KEY, words tsvector NOT NULL)',
    'CREATE INDEX task_search_words ON task_search USING gin (words)',
  ],
  key: 'task_search.id',
  bound: '?',
  matches: 'task_search.words @@ ?::tsquery',
  termsValue: (terms) =>
    terms.map(({ word, isPrefix }) => `'${word}'${isPrefix ? ':*' : ''}`).join(' & '),
};
