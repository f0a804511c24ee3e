import { type Before, decisionId, type Head, type Reads, type Store } from '../../ports/store.ts';
import type { DumpLine } from '../sql/canonical.ts';
import { dumpTables } from '../sql/dump.ts';
import { type Ask, POSTGRES, type Value } from '../sql/flavour.ts';
import { loadOpen } from '../sql/load.ts';
import { createReads, recallKeys } from '../sql/reads.ts';
import { FORGET_DECISIONS, FORGET_HEARTBEATS, FORGET_LOG, FORGET_RESPONSES } from '../sql/sweep.ts';
import type { Asked } from './connection.ts';
import { readHead } from './head-row.ts';
import type { LastSeenHead } from './last-seen-head.ts';
import type { Readers } from './readers.ts';
import { createNames } from './statement-names.ts';

interface Needs {
  readonly readers: Readers;
  readonly lastSeen: LastSeenHead;
  readonly append: Store['append'];
}

export function createStore({ readers, lastSeen, append }: Needs): Omit<Store, 'close'> {
  const nameOf = createNames('read');
  const ask = asking(readers);
  const reads = createReads(POSTGRES, ask);

  function asking(asked: Asked): Ask {
    return async <Cells>(sql: string, values: readonly Value[]) => {
      const text = POSTGRES.placed(sql);
      const { rows } = await asked.ask({ text, values, name: nameOf(text) });
      return rows as readonly Cells[];
    };
  }

  async function headIn(asked: Asked): Promise<Head> {
    const before = lastSeen.seen;
    const { seq, link, linkThere } = await readHead(asked, before.seq);
    lastSeen.compare({ seq, linkThere }, before);
    lastSeen.saw({ seq, link });
    return { seq, link };
  }

  async function* dump(): AsyncGenerator<DumpLine> {
    await using snapshot = await readers.snapshot();
    yield* dumpTables(asking(snapshot));
  }

  return {
    ...reads,
    append,
    dump,
    head: () => headIn(readers),
    async load(put, heartbeat) {
      await using snapshot = await readers.snapshot();
      const head = await headIn(snapshot);
      await loadOpen({ flavour: POSTGRES, ask: asking(snapshot) }, put, heartbeat);
      return head;
    },
    recall: (keys) => recallKeys(POSTGRES, ask, keys),
    sweep: (before) => sweep(ask, reads, before),
  };
}

async function sweep(ask: Ask, reads: Reads, before: Before): Promise<void> {
  await forget(ask, FORGET_RESPONSES, [before.responses]);
  await forget(ask, FORGET_LOG, [await reads.seqAt(before.log), before.log]);
  await forget(ask, FORGET_HEARTBEATS, [before.log]);
  await forget(ask, FORGET_DECISIONS, [decisionId(before.decisions, '')]);
}

async function forget(ask: Ask, sql: string, values: readonly Value[]): Promise<void> {
  for (;;) {
    const forgotten = await ask(`${sql} RETURNING 1`, values);
    if (forgotten.length === 0) return;
  }
}
