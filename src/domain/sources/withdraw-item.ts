import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { cancel } from '../operator-actions.ts';
import { isRefusal } from '../refusal.ts';
import { isHeld } from '../task.ts';
import type { Thread } from '../thread.ts';
import type { ItemRecord } from './item.ts';
import { seenEvents } from './post-items.ts';

interface Withdrawal {
  readonly record: ItemRecord;
  readonly because: string;
}

/**
 * The source no longer asks for an item. What nobody works on is cancelled, one task at each call; otherwise
 * the thread says so, and a person decides.
 */
export function removeItem(
  board: Board,
  closed: ClosedWork,
  { record, because }: Withdrawal,
  now: Now,
): Decision<ThreadId | null> {
  return withdraw(board, closed, { record: { ...record, gone: true }, because }, now);
}

/** The record is as it is to be afterwards. */
export function withdraw(
  board: Board,
  closed: ClosedWork,
  { record, because }: Withdrawal,
  now: Now,
): Decision<ThreadId | null> {
  const thread = record.thread === null ? undefined : board.threads.get(record.thread);
  const seen = seenEvents(board, record);
  if (!thread) return decide(record.thread, seen);
  const [task] = thread.tasks;
  if (task === undefined || isWorkedOn(board, thread)) {
    return decide(thread.id, [...seen, ...(seen.length > 0 ? [note(thread, because)] : [])]);
  }
  const { events, answer } = cancel(board, closed, { task, because }, now);
  if (isRefusal(answer)) return decide(thread.id, seen);
  // Before the thread is closed, which the record of the item notes.
  return decide(thread.id, [...(thread.tasks.length === 1 ? seen : []), ...events]);
}

/** A worker has one of its tasks. */
export function isWorkedOn(board: Board, { tasks }: Thread): boolean {
  return tasks.some((id) => {
    const task = board.tasks.get(id);
    return task !== undefined && isHeld(task.state);
  });
}

function note({ id }: Thread, because: string): HallEvent {
  const text = `The work goes on although ${because}; cancel it if it is not needed.`;
  return { type: 'SourceItemNoted', thread: id, text };
}
