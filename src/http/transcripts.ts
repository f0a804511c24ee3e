import type { Hall } from '../board/hall.ts';
import { decide, refuseWith } from '../domain/decision.ts';
import type { RunId } from '../domain/ids.ts';
import { checkLease, type Lease } from '../domain/lease.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { LogEntry } from '../ports/store.ts';
import { type ChangeContext, changeBoard } from './board-access.ts';

/** The most characters a transcript may have; an agent that loops must not fill the disk. */
export const MAX_CHARACTERS = 10 * 1024 * 1024;

const TRUNCATED = '[the transcript has reached its maximum length; the rest was dropped]';

/**
 * Appends to transcripts. Entries are numbered from the last stored one, so a run's appends happen
 * one at a time. The count of entries is no help: the first ones of a long run may be deleted by
 * then.
 */
export function createTranscripts(hall: Hall) {
  const pending = new Map<RunId, Promise<unknown>>();

  async function append(context: ChangeContext, lease: Lease, texts: readonly string[]) {
    const size = await hall.store.logSize(lease.run);
    const fitting = fitted(texts, MAX_CHARACTERS - size.characters);
    const at = hall.clock.now();
    const log = fitting.map((text, n): LogEntry => {
      return { run: lease.run, n: size.last + n + 1, at, text };
    });
    const cut = size.characters + lengthOf(fitting) >= MAX_CHARACTERS;
    return changeBoard(hall, context, {
      log,
      decide: (board) => {
        const run = checkLease(board, lease);
        return isRefusal(run) ? refuseWith(run) : decide(run, []);
      },
      reply: () => ({ status: 200, body: { entries: size.last + log.length, cut } }),
    });
  }

  return {
    append(context: ChangeContext, lease: Lease, texts: readonly string[]) {
      const before = pending.get(lease.run) ?? Promise.resolve();
      const work = () => append(context, lease, texts);
      const appended = before.then(work, work);
      pending.set(lease.run, appended);
      const done = () => {
        if (pending.get(lease.run) === appended) pending.delete(lease.run);
      };
      appended.then(done, done);
      return appended;
    },
  };
}

/** As much as fits. The last piece fills the space exactly, which marks the transcript as full. */
function fitted(texts: readonly string[], space: number): readonly string[] {
  if (space <= 0) return [];
  let left = space;
  const fitting: string[] = [];
  for (const text of texts) {
    if (text.length >= left) return [...fitting, text.slice(0, left).toWellFormed(), TRUNCATED];
    fitting.push(text);
    left -= text.length;
  }
  return fitting;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
