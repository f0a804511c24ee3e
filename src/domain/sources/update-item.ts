import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import { type Edit, edit } from '../editing.ts';
import type { HallEvent } from '../event.ts';
import type { TaskId, ThreadId } from '../ids.ts';
import { isRefusal } from '../refusal.ts';
import { reopen } from '../reopening.ts';
import { DECOMPOSE } from '../skill.ts';
import { isHeld, type Task } from '../task.ts';
import type { Thread } from '../thread.ts';
import type { ConfiguredSource } from './configured.ts';
import { type ItemRecord, itemKey, type SourceItem } from './item.ts';
import { seenEvents, threadOf } from './post-items.ts';
import { withdraw } from './withdraw-item.ts';

interface Found {
  readonly source: ConfiguredSource;
  readonly item: SourceItem;
}

interface Known extends Found {
  /** As the source shows the item now. */
  readonly record: ItemRecord;
  readonly before: ItemRecord;
}

/**
 * Brings the task of an item in line with it, one step at each call. A waiting task gets the new text; an
 * ended one is final, so a changed item makes a new task that is linked to it.
 */
export function updateItem(
  board: Board,
  closed: ClosedWork,
  { source, item }: Found,
  now: Now,
): Decision<ThreadId | null> {
  const before = board.items.get(itemKey(source.project, item.id));
  if (!before || before.thread === null) return decide(null, []);
  const { gone: _g, isDone: _d, notPosted: _n, ...facts } = before;
  const { title, file } = item;
  const record = {
    ...facts,
    title,
    file,
    source: source.id,
    ...(item.isDone && { isDone: true as const }),
  };
  const thread = board.threads.get(before.thread);
  const known = { source, item, record, before };
  return thread
    ? updateWaiting(board, closed, { ...known, thread }, now)
    : updateEnded(board, closed, known, now);
}

function updateWaiting(
  board: Board,
  closed: ClosedWork,
  known: Known & { readonly thread: Thread },
  now: Now,
): Decision<ThreadId | null> {
  const { item, record, before, thread } = known;
  if (item.isDone) {
    if (before.isDone) return decide(thread.id, []);
    return withdraw(board, closed, { record, because: 'its source says that it is done' }, now);
  }
  const { newer: _, ...same } = record;
  if (item.hash === record.hash) return decide(thread.id, seenEvents(board, same));
  const task = waitingTask(board, thread);
  if (!task) return decide(thread.id, noteChange(board, known));
  const { events, answer } = edit(
    board,
    closed,
    { task: task.id, change: changeOf(board, known) },
    now,
  );
  if (isRefusal(answer)) {
    const text = `Its item was changed, and the task keeps the earlier text: ${answer.because}`;
    return decide(thread.id, noteOnce(board, known, text));
  }
  return decide(thread.id, [...events, ...seenEvents(board, { ...same, hash: item.hash })]);
}

function noteChange(
  board: Board,
  known: Known & { readonly thread: Thread },
): readonly HallEvent[] {
  const text =
    'Its item was changed after the work had begun. The work goes on with the earlier text; once it has ended, the change becomes a new task.';
  return noteOnce(board, known, text);
}

/** However often the source is read, a change is noted once. */
function noteOnce(
  board: Board,
  { item, record, before, thread }: Known & { readonly thread: Thread },
  text: string,
): readonly HallEvent[] {
  if (before.newer === item.hash) return seenEvents(board, record);
  const seen = seenEvents(board, { ...record, newer: item.hash });
  return [...seen, { type: 'SourceItemNoted', thread: thread.id, text }];
}

/** The task that does what the item asks for, while no worker has it. */
function waitingTask(board: Board, { tasks }: Thread): Task | undefined {
  return tasks
    .flatMap((id) => board.tasks.get(id) ?? [])
    .find(({ skill, state }) => (skill === 'implement' || skill === DECOMPOSE) && !isHeld(state));
}

function changeOf(board: Board, { source, item }: Known): Edit {
  const { title, body, size, file } = item;
  const text = { title, body, ...(size !== null && { size }) };
  // What an issue depends on is not written in it: an operator may have said so on the board.
  if (file === null) return text;
  const dependsOn = item.dependsOn.flatMap((on) => threadOf(board, source.project, on) ?? []);
  return { ...text, dependsOn };
}

function updateEnded(
  board: Board,
  closed: ClosedWork,
  known: Known,
  now: Now,
): Decision<ThreadId | null> {
  const { item, record, before } = known;
  const { thread } = before;
  const { newer: _, ...settled } = record;
  const isFirstLook = before.ended === 'done' && !before.settled;
  // The branch of the work may itself have edited the item: what it is after the merge is what was done.
  if (isFirstLook && item.hash !== before.newer) {
    return decide(thread, seenEvents(board, { ...settled, hash: item.hash, settled: true }));
  }
  const isBack = before.ended === 'cancelled' && (before.gone || before.isDone) && !item.isDone;
  const isChanged = item.hash !== before.hash && !item.isDone;
  if (isBack || isChanged) return postAgain(board, closed, known, now);
  return decide(thread, seenEvents(board, settled));
}

/** The first task of a thread has its number. The empty hash lets the next call set size and dependencies. */
function postAgain(
  board: Board,
  closed: ClosedWork,
  { item, record }: Known,
  now: Now,
): Decision<ThreadId | null> {
  const { thread } = record;
  const { title, body } = item;
  const task = (thread ?? 0) as number as TaskId;
  const { events, answer } = reopen(board, closed, { task, title, body }, now);
  const { ended, newer: _n, settled: _s, ...open } = record;
  if (isRefusal(answer)) {
    const refused = { ...open, ...(ended && { ended }), notPosted: answer.because };
    return decide(thread, seenEvents(board, { ...refused, hash: item.hash, settled: true }));
  }
  return decide(thread, [...events, ...seenEvents(board, { ...open, hash: '' })]);
}
