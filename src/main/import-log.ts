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

/**
 * Writes an exported log into an empty store, commit by commit, and folds its tables anew. In a data
 * folder, where nobody else can be at work, one that was broken off is taken up where it stopped.
 */
export async function importLog(
  lines: AsyncIterable<string>,
  { store, leadership }: OpenStore,
  progress: (seq: number) => void,
): Promise<Head> {
  const before = await store.head();
  // A database of several halls may have one at work, which is not to be put aside for a look.
  if (leadership && before.seq > 0) throw notEmpty(before);
  const leader = await leadership?.look();
  const epoch = leader && (await leadership?.takeOver(leader, IMPORTER));
  if (leader && epoch === undefined) throw new ImportRefused('another hall works on this database');
  try {
    return await appendAll(lines, store, { before, epoch: epoch ?? 0, progress });
  } finally {
    if (epoch !== undefined) await leadership?.stepDown(epoch);
  }
}

/** A leader needs an address; nobody is reached at this one. */
const IMPORTER = 'import';

interface Appending {
  /** Where the store ends before anything is imported. */
  readonly before: Head;
  readonly epoch: number;
  readonly progress: (seq: number) => void;
}

async function appendAll(
  lines: AsyncIterable<string>,
  store: Pick<Store, 'append'>,
  { before, epoch, progress }: Appending,
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
    for (const row of evolve(board, recorded)) rows.push(row);
    if (sealed.link === null) continue;
    board.commit();
    if (sealed.seq <= before.seq) {
      if (sealed.seq === before.seq && sealed.link !== before.link) throw notEmpty(before);
      head = { seq: sealed.seq, link: sealed.link };
    } else {
      if (head.seq < before.seq) throw notEmpty(before);
      const group = { after: head, epoch, events, rows: mergeRows(rows), ...NOTHING_ELSE };
      head = await store.append(group);
    }
    if (head.link !== sealed.link) {
      throw new ImportRefused(`event ${sealed.seq} was sealed otherwise than in the export`);
    }
    progress(head.seq);
    events = [];
    rows = [];
  }
  const open = chain.finish();
  if (open) throw new ImportRefused(`the export stops in the middle of a commit: ${open}`);
  if (before.seq > 0 && head.seq <= before.seq) throw notEmpty(before);
  return head;
}

function notEmpty({ seq }: Head): ImportRefused {
  return new ImportRefused(
    `the store holds ${seq} events already, and a log is only imported into an empty one, or where ` +
      'an import of it was broken off: use another data folder (GUILDHALL_DATA) or an empty database',
  );
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
