import { verifyChain } from '../adapters/sql/chain.ts';
import { Board } from '../domain/board.ts';
import { evolve } from '../domain/evolve.ts';
import { eventIn } from '../domain/renamed-events.ts';
import { mergeRows, type Row } from '../domain/row.ts';
import type { Appended, Head, SealedEvent, SecretValue, Store } from '../ports/store.ts';
import { sealedFrom, secretFrom } from './export-log.ts';
import type { OpenStore } from './open-store.ts';

/** The file is not a complete, unchanged log, or the store cannot take it. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

export type ImportStep = 'checked' | 'imported';

/**
 * Writes an exported log into an empty store, commit by commit, and folds its tables. Reads the log
 * twice, so a damaged or incomplete one changes nothing. In a data folder, which has no other writer, it
 * resumes an interrupted import.
 */
export async function importLog(
  lines: () => AsyncIterable<string>,
  { store, leadership }: OpenStore,
  progress: (step: ImportStep, seq: number) => void,
): Promise<Head> {
  const before = await store.head();
  // A node may be leading on a shared database, and a check must not take over from it.
  if (leadership && before.seq > 0) throw notEmpty(before);
  await refuseUnlessSound(lines(), before, (seq) => progress('checked', seq));
  const leader = await leadership?.look();
  const epoch = leader && (await leadership?.takeOver(leader, IMPORTER));
  if (leader && epoch === undefined)
    throw new ImportRefused(
      'a running hall uses this database: stop it first, or import into another database',
    );
  try {
    let head = before;
    for await (const commit of commitsIn(lines())) {
      if (commit.head.seq <= before.seq) continue;
      head = await append(store, { ...commit, after: head, epoch: epoch ?? 0 });
      progress('imported', head.seq);
    }
    return head;
  } finally {
    if (epoch !== undefined) await leadership?.stepDown(epoch);
  }
}

/** A leader needs an address; this one is a placeholder. */
const IMPORTER = 'import';

interface Commit {
  readonly events: readonly Appended[];
  readonly rows: readonly Row[];
  readonly head: Head;
  /** Those that the board has at the end of the log, with its last commit. */
  readonly secrets: readonly SecretValue[];
}

/** The commits of the log; throws when the log ends in the middle of one. */
async function* commitsIn(lines: AsyncIterable<string>): AsyncGenerator<Commit> {
  const board = new Board();
  const chain = verifyChain();
  const secrets: SecretValue[] = [];
  let events: Appended[] = [];
  let rows: Row[] = [];
  let last: Commit | undefined;
  for await (const sealed of eventsIn(lines, secrets)) {
    const fault = chain.follow([sealed]);
    if (fault) throw new ImportRefused(fault);
    const event = appendedFrom(sealed);
    events.push(event);
    for (const row of evolve(board, event)) rows.push(row);
    if (sealed.link === null) continue;
    board.commit();
    if (last) yield last;
    const head = { seq: sealed.seq, link: sealed.link };
    last = { events, rows: mergeRows(rows), head, secrets: [] };
    events = [];
    rows = [];
  }
  const open = chain.finish();
  if (open) throw new ImportRefused(`the export ends in the middle of a commit: ${open}`);
  if (last) yield { ...last, secrets: secrets.filter(({ name }) => board.secrets.has(name)) };
}

/** Requires a sound log that continues where the store ends. */
async function refuseUnlessSound(
  lines: AsyncIterable<string>,
  before: Head,
  progress: (seq: number) => void,
): Promise<void> {
  let continues = before.seq === 0;
  let end = 0;
  for await (const { head } of commitsIn(lines)) {
    continues ||= head.seq === before.seq && head.link === before.link;
    end = head.seq;
    progress(end);
  }
  if (!continues || (before.seq > 0 && end <= before.seq)) throw notEmpty(before);
}

async function append(
  store: Pick<Store, 'append'>,
  {
    events,
    rows,
    head,
    secrets,
    after,
    epoch,
  }: Commit & { readonly after: Head; readonly epoch: number },
): Promise<Head> {
  const written = await store.append({
    ...{ after, epoch, events, rows },
    secrets: secrets.map(({ name, ...value }) => ({ name, value })),
    ...NOTHING_ELSE,
  });
  if (written.link === head.link) return written;
  throw new ImportRefused(`event ${head.seq} was sealed differently than in the export`);
}

function notEmpty({ seq }: Head): ImportRefused {
  return new ImportRefused(
    `the store already holds ${seq} events; a log can be imported only into an empty store, or to ` +
      'complete an interrupted import of the same log: use another data folder (--data) or an empty database',
  );
}

const NOTHING_ELSE = { responses: [], log: [], decisions: [], heartbeats: [] };

/** Collects the secrets, which follow the events. */
async function* eventsIn(
  lines: AsyncIterable<string>,
  secrets: SecretValue[],
): AsyncGenerator<SealedEvent> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const secret = secretFrom(line);
    if (secret) {
      secrets.push(secret);
      continue;
    }
    const sealed = sealedFrom(line);
    if (!sealed) throw new ImportRefused(`line ${number} is not an event of an export`);
    yield sealed;
  }
}

function appendedFrom({ seq, at, actor, cause, type, body }: SealedEvent): Appended {
  if (body === null) {
    throw new ImportRefused(`the text of event ${seq} was erased, so the board cannot be built`);
  }
  return { seq, at, actor, cause, event: eventIn(body), stored: { type, body } };
}
