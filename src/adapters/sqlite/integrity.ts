import { type Head, NO_HEAD, type Reads, type SealedEvent } from '../../ports/store.ts';
import { verifyChain } from '../sql/chain.ts';
import { queryInBackground } from './background-query.ts';
import { type Connection, withReader } from './connection.ts';
import { messageOf } from './fault.ts';
import { FOLDED, faultInMark } from './fold-mark.ts';
import { openSnapshot } from './snapshot.ts';

/** The file is damaged: it must not be served, and the operator has to restore a backup. */
class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged';
}

export function damaged(path: string, fault: string): DatabaseDamaged {
  return new DatabaseDamaged(`${path} is damaged (${fault}): restore the last backup`);
}

/** Checks that are quick enough for a start: the pages of a small file, and the end of the log. */
export function damageIn(db: Connection, checkUpTo: number): string | undefined {
  try {
    const pages = Number(db.pragma('page_count', { simple: true }));
    const size = pages * Number(db.pragma('page_size', { simple: true }));
    if (size <= checkUpTo) {
      const found = String(db.pragma('quick_check(1)', { simple: true }));
      if (found !== 'ok') return found;
    }
    return faultAtHead(db) ?? faultAtMark(db);
  } catch (error) {
    return messageOf(error);
  }
}

const SEALED = 'SELECT seq, at, actor, cause, type, body, hash, link FROM event';

/** Recomputes the last link from the events of the last commit. */
function faultAtHead(db: Connection): string | undefined {
  const before = db
    .prepare<[], Head>(
      `SELECT seq, link FROM event WHERE link IS NOT NULL
        AND seq < (SELECT max(seq) FROM event) ORDER BY seq DESC LIMIT 1`,
    )
    .get();
  const chain = verifyChain(before ?? NO_HEAD);
  const events = db.prepare<[number], SealedEvent>(`${SEALED} WHERE seq > ? ORDER BY seq`);
  return chain.follow(events.all(chain.head().seq)) ?? chain.finish();
}

/** Checks that the tables' mark names an event of the log. */
function faultAtMark(db: Connection): string | undefined {
  const mark = db.prepare<[], string>(FOLDED).pluck().get();
  const end = db.prepare<[], number | null>('SELECT max(seq) FROM event').pluck().get();
  return faultInMark(mark, end ?? 0);
}

/** Checks everything that needs no folding: the pages and the whole chain. */
export async function refuseDamagedFile(path: string): Promise<void> {
  const [fault] = await checkFile(path);
  if (fault !== undefined) throw damaged(path, fault);
  const reads = openSnapshot(path);
  try {
    const broken = await checkChain(reads);
    if (broken !== undefined) throw damaged(path, broken);
  } finally {
    reads.close();
  }
}

/** Faults in the file other than its chain, as text; empty when it is sound. */
export async function checkFile(path: string): Promise<readonly string[]> {
  const found = await checkIntegrity(path);
  if (found.length > 0) return found;
  const fault = withReader(path, faultAtMark);
  return fault === undefined ? [] : [fault];
}

/** Faults that SQLite finds in the file, as text; empty when it is sound. */
export async function checkIntegrity(path: string): Promise<readonly string[]> {
  try {
    const rows = await queryInBackground({ path, sql: 'PRAGMA integrity_check(20)', values: [] });
    return rows.map(([found]) => String(found)).filter((found) => found !== 'ok');
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Follows the whole chain; returns the first fault as text. */
export async function checkChain(reads: Pick<Reads, 'sealed'>): Promise<string | undefined> {
  const chain = verifyChain();
  let after = 0;
  for (;;) {
    const sealed = await reads.sealed(after, PIECE);
    const last = sealed.at(-1);
    if (!last) return chain.finish();
    const fault = chain.follow(sealed);
    if (fault) return fault;
    after = last.seq;
  }
}

const PIECE = 10_000;
