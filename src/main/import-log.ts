import { verifyChain } from '../adapters/sql/chain.ts';
import { Board } from '../domain/board.ts';
import type { Recorded } from '../domain/event.ts';
import { evolve } from '../domain/evolve.ts';
import { mergeRows, type Row } from '../domain/row.ts';
import { type Head, NO_HEAD, type Sealed, type Store } from '../ports/store.ts';
import { sealedFrom } from './export-log.ts';
import type { OpenStore } from './open-store.ts';

/** What was to be imported is not a whole, unchanged log, or there is no room for it. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

/** Writes an exported log into an empty store, commit by commit, and folds its tables anew. */
export async function importLog(
  lines: AsyncIterable<string>,
  { store, leadership }: OpenStore,
  progress: (seq: number) => void,
): Promise<Head> {
  const before = await store.head();
  if (before.seq > 0) {
    throw new ImportRefused(
      `the store holds ${before.seq} events already, and a log is only imported into an empty one: ` +
        'use another data folder (GUILDHALL_DATA) or an empty database',
    );
  }
  const leader = await leadership?.look();
  const epoch = leader && (await leadership?.takeOver(leader, IMPORTER));
  if (leader && epoch === undefined) throw new ImportRefused('another hall works on this database');
  try {
    return await appendAll(lines, store, { epoch: epoch ?? 0, progress });
  } finally {
    if (epoch !== undefined) await leadership?.stepDown(epoch);
  }
}

/** A leader needs an address; nobody is reached at this one. */
const IMPORTER = 'import';

async function appendAll(
  lines: AsyncIterable<string>,
  store: Pick<Store, 'append'>,
  { epoch, progress }: { readonly epoch: number; readonly progress: (seq: number) => void },
): Promise<Head> {
  const board = new Board();
  const chain = verifyChain();
  let head = NO_HEAD;
  let events: Recorded[] = [];
  let rows: Row[] = [];
  for await (const sealed of eventsIn(lines)) {
    const fault = chain.follow([sealed]);
    if (fault) throw new ImportRefused(fault);
    const recorded = recordedFrom(sealed);
    events.push(recorded);
    rows.push(...evolve(board, recorded));
    if (sealed.link === null) continue;
    board.commit();
    const group = { after: head, epoch, events, rows: mergeRows(rows), ...NOTHING_ELSE };
    head = await store.append(group);
    if (head.link !== sealed.link) {
      throw new ImportRefused(`event ${sealed.seq} was sealed otherwise than in the export`);
    }
    progress(head.seq);
    events = [];
    rows = [];
  }
  const open = chain.finish();
  if (open) throw new ImportRefused(`the export stops in the middle of a commit: ${open}`);
  return head;
}

const NOTHING_ELSE = { answers: [], log: [], decisions: [], pulses: [] };

async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<Sealed> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const sealed = sealedFrom(line);
    if (!sealed) throw new ImportRefused(`line ${number} is not an event of an export`);
    yield sealed;
  }
}

function recordedFrom({ seq, at, actor, cause, body }: Sealed): Recorded {
  if (body === null) {
    throw new ImportRefused(`the words of event ${seq} were erased: the board cannot be folded`);
  }
  return { seq, at, actor, cause, event: JSON.parse(body) };
}
