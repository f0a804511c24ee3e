import {
  decisionId,
  type ExpiryTimes,
  type Head,
  type Reads,
  type Store,
} from '../../ports/store.ts';
import { POSTGRES, type RunQuery, type Value } from '../sql/dialect.ts';
import { dumpTables } from '../sql/dump.ts';
import type { DumpLine } from '../sql/dump-format.ts';
import { loadOpen } from '../sql/load-open-work.ts';
import { createReads, recallKeys } from '../sql/reads.ts';
import {
  FORGET_DECISIONS,
  FORGET_HEARTBEATS,
  FORGET_LOG,
  FORGET_RESPONSES,
} from '../sql/retention.ts';
import { POSTGRES_SEARCH } from '../sql/search-dialect.ts';
import { readWords } from '../sql/search-index.ts';
import type { Queryable } from './connection.ts';
import { readHead } from './head-row.ts';
import type { LastSeenHead } from './last-seen-head.ts';
import type { Readers } from './readers.ts';
import { createNames } from './statement-names.ts';
import { writeIndex } from './write-index.ts';

interface Needs {
  readonly readers: Readers;
  readonly lastSeen: LastSeenHead;
  readonly append: Store['append'];
}

export function createStore({ readers, lastSeen, append }: Needs): Omit<Store, 'close'> {
  const nameOf = createNames('read');
  const runQuery = queryRunnerOf(readers);
  const reads = createReads(POSTGRES, runQuery);

  function queryRunnerOf(source: Queryable): RunQuery {
    return async <Cells>(sql: string, values: readonly Value[]) => {
      const text = POSTGRES.placed(sql);
      const { rows } = await source.query({
        text,
        values,
        name: isSearch(text) ? '' : nameOf(text),
      });
      return rows as readonly Cells[];
    };
  }

  async function headIn(source: Queryable): Promise<Head> {
    const before = lastSeen.seen;
    const { seq, link, linkThere } = await readHead(source, before.seq);
    lastSeen.compare({ seq, linkThere }, before);
    lastSeen.saw({ seq, link });
    return { seq, link };
  }

  async function* dump(): AsyncGenerator<DumpLine> {
    await using snapshot = await readers.snapshot();
    yield* dumpTables(queryRunnerOf(snapshot));
  }

  return {
    ...reads,
    append,
    dump,
    head: () => headIn(readers),
    async load(put, heartbeat) {
      await using snapshot = await readers.snapshot();
      const head = await headIn(snapshot);
      await loadOpen({ dialect: POSTGRES, runQuery: queryRunnerOf(snapshot) }, put, heartbeat);
      return head;
    },
    async index(change) {
      const tasks = await readWords(POSTGRES, runQuery, change);
      return writeIndex(runQuery, change, tasks);
    },
    recall: (keys) => recallKeys(POSTGRES, runQuery, keys),
    sweep: (before) => sweep(runQuery, reads, before),
  };
}

/** Planned each time, because the best plan depends on how many tasks have the words. */
function isSearch(text: string): boolean {
  return text.includes(POSTGRES_SEARCH.key);
}

async function sweep(runQuery: RunQuery, reads: Reads, before: ExpiryTimes): Promise<void> {
  await forget(runQuery, FORGET_RESPONSES, [before.responses]);
  await forget(runQuery, FORGET_LOG, [await reads.seqAt(before.log), before.log]);
  await forget(runQuery, FORGET_HEARTBEATS, [before.log]);
  await forget(runQuery, FORGET_DECISIONS, [decisionId(before.decisions, '')]);
}

async function forget(runQuery: RunQuery, sql: string, values: readonly Value[]): Promise<void> {
  for (;;) {
    const forgotten = await runQuery(`${sql} RETURNING 1`, values);
    if (forgotten.length === 0) return;
  }
}
