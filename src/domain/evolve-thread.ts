import type { Board } from './board.ts';
import { afterRecheck } from './checking/recheck.ts';
import type { HallEvent, OpenedThread, Recorded } from './event.ts';
import { unsettleIssue } from './forge/issue-record.ts';
import type { TaskId, ThreadId } from './ids.ts';
import { NO_TALLY, type Tally } from './project.ts';
import type { Note, Row } from './row.ts';
import { endItem } from './sources/item.ts';
import {
  type Closed,
  isAwaitingInput,
  isCancelled,
  isClosed,
  isCompleted,
  isRejected,
  slimTask,
  type Task,
  type TaskState,
} from './task.ts';
import {
  awaitsChildren,
  isAbandoned,
  isFinished,
  isPending,
  NOT_ON_FORGE,
  slimThread,
  type Thread,
  type ThreadOnForge,
} from './thread.ts';
import { requeueAround } from './thread-queue.ts';

type ThreadEvent = Extract<
  HallEvent,
  {
    type:
      | 'ThreadReopened'
      | 'ThreadChanged'
      | 'ThreadDone'
      | 'TaskPosted'
      | 'TaskEdited'
      | 'TaskApproved'
      | 'TaskBlocked'
      | 'TaskUnblocked'
      | 'TaskDue'
      | 'TaskRetried'
      | 'TaskCancelled'
      | 'TaskAnswered'
      | 'LabelWaitExpired'
      | 'LabelsUnmatched';
  }
>;

/** Applies events about threads and about tasks that no worker holds. */
export function evolveThread(board: Board, event: ThreadEvent, at: Recorded): readonly Row[] {
  switch (event.type) {
    case 'ThreadReopened':
      return reopenThread(board, event.thread);
    case 'ThreadChanged': {
      const { title, resetCounters, recheck, ...change } = event.change;
      const before = board.threads.get(event.thread)?.forge;
      const checked = before && recheck ? afterRecheck(before) : before;
      const forge = checked && resetCounters ? withoutCounts(checked) : checked;
      const rows = changeThread(board, event.thread, { ...change, ...(forge && { forge }) });
      return title === undefined ? rows : rows.map((row) => titled(row, title));
    }
    case 'ThreadDone':
      return finishThread(board, event.thread);
    case 'TaskPosted':
      return postTask(board, event, at.at);
    case 'TaskEdited': {
      const { title, body, ...change } = event.change;
      const text = { ...(title !== undefined && { title }), ...(body !== undefined && { body }) };
      return changeTask(board, event.task, change).map((row) =>
        row.table === 'task' ? { ...row, text } : row,
      );
    }
    case 'TaskAnswered':
      return [
        ...moveTask(board, event.task, event.state),
        ...noteOn(board, event.task, { at, kind: 'answer', text: event.answer }),
      ];
    case 'LabelWaitExpired':
      return changeTask(board, event.task, { labelWaitExpired: true });
    case 'LabelsUnmatched':
      return [];
    case 'TaskApproved':
    case 'TaskBlocked':
    case 'TaskUnblocked':
    case 'TaskDue':
    case 'TaskRetried':
    case 'TaskCancelled':
      return moveTask(board, event.task, event.state);
  }
}

function titled(row: Row, title: string): Row {
  return row.table === 'thread' ? { ...row, text: { title } } : row;
}

function reopenThread(board: Board, before: Thread): readonly Row[] {
  const thread: Thread = { ...before, state: 'open' };
  board.putThread(thread);
  board.closing.threads.delete(thread.id);
  follow(board, thread, []);
  const back = {
    children: before.state === 'cancelled' ? 1 : 0,
    childrenDone: before.state === 'done' ? -1 : 0,
  };
  return [
    { table: 'thread', key: thread.id, row: thread },
    ...countChild(board, thread.parent, back),
  ];
}

export function changeThread(board: Board, id: ThreadId, change: Partial<Thread>): readonly Row[] {
  const before = board.threads.get(id);
  if (!before) return [];
  const thread = { ...before, ...change };
  requeueAround(board, id, () => board.putThread(thread));
  if (change.blockedBy) follow(board, thread, before.blockedBy);
  return [{ table: 'thread', key: id, row: thread }];
}

/** Keeps the index from a thread to those that wait for it. */
function follow(board: Board, thread: Thread, before: readonly ThreadId[]): void {
  for (const id of before) {
    if (!thread.blockedBy.includes(id)) board.dependents.remove(id, thread.id);
  }
  for (const id of thread.blockedBy) board.dependents.add(id, thread.id);
}

export function finishThread(board: Board, id: ThreadId): readonly Row[] {
  const thread = board.threads.get(id);
  if (!thread) return [];
  const rows: Row[] = [];
  for (const other of [...board.dependents.of(id)]) {
    const blockedBy = (board.threads.get(other)?.blockedBy ?? []).filter((wait) => wait !== id);
    rows.push(...changeThread(board, other, { blockedBy }));
  }
  rows.push(...closeThread(board, { ...thread, state: 'done', completed: true }));
  rows.push(...countChild(board, thread.parent, { children: 0, childrenDone: 1 }));
  return rows;
}

export function closeThread(board: Board, thread: Thread): readonly Row[] {
  follow(board, { ...thread, blockedBy: [] }, thread.blockedBy);
  board.dropThread(thread.id);
  board.closing.threads.set(thread.id, thread);
  return [
    { table: 'thread', key: thread.id, row: thread },
    ...unsettleIssue(board, thread),
    ...endItem(board, thread),
  ];
}

function countChild(
  board: Board,
  parent: ThreadId | null,
  by: { readonly children: number; readonly childrenDone: number },
): readonly Row[] {
  const thread = parent === null ? undefined : board.threads.get(parent);
  if (!thread || (by.children === 0 && by.childrenDone === 0)) return [];
  return changeThread(board, thread.id, {
    children: thread.children + by.children,
    childrenDone: thread.childrenDone + by.childrenDone,
  });
}

type Posted = Extract<ThreadEvent, { type: 'TaskPosted' }>;

function postTask(board: Board, { task: posted, opens }: Posted, at: number): readonly Row[] {
  const { title, body, ...facts } = posted;
  const word = (each: string) => board.intern(each);
  const task = slimTask({ ...facts, postedAt: at, crashes: 0, labelWaitExpired: false }, word);
  const before = board.threads.get(task.thread);
  const thread = opens ? slimThread(opened(task, opens, at), word) : before && joined(before, task);
  if (!thread) return [];
  requeueAround(board, thread.id, () => {
    board.putThread(thread);
    board.putTask(task);
  });
  board.count(board.openIn, task.project, 1);
  const row: Row = { table: 'task', key: task.id, row: task, text: { title, body } };
  if (!opens) return [row, { table: 'thread', key: thread.id, row: thread }];
  follow(board, thread, []);
  return [
    row,
    { table: 'thread', key: thread.id, row: thread, text: { title } },
    ...countChild(board, thread.parent, { children: 1, childrenDone: 0 }),
  ];
}

function opened(task: Task, { issue, ...opens }: OpenedThread, at: number): Thread {
  return {
    ...opens,
    id: task.thread,
    project: task.project,
    children: 0,
    childrenDone: 0,
    completed: false,
    tasks: [task.id],
    state: 'open',
    handedOver: null,
    forge: issue ? { ...NOT_ON_FORGE, issue } : NOT_ON_FORGE,
    openedAt: at,
  };
}

function joined(thread: Thread, task: Task): Thread {
  return { ...thread, tasks: [...thread.tasks, task.id] };
}

function changeTask(board: Board, id: TaskId, change: Partial<Task>): readonly Row[] {
  const before = board.tasks.get(id);
  if (!before) return [];
  const task: Task = { ...before, ...change };
  requeueAround(board, task.thread, () => board.putTask(task));
  return [{ table: 'task', key: id, row: task }];
}

/** Sets a task's next state. A closed task leaves the hall's memory. */
export function moveTask(
  board: Board,
  id: TaskId,
  state: TaskState,
  change: Partial<Task> = {},
): readonly Row[] {
  if (!isClosed(state)) return changeTask(board, id, { ...change, state });
  const before = board.tasks.get(id);
  if (!before) return [];
  const task: Task = { ...before, ...change, state };
  const rows = endTask(board, task);
  return [{ table: 'task', key: id, row: task }, ...rows, tallied(board, task.project, state)];
}

function endTask(board: Board, task: Task): readonly Row[] {
  const thread = board.threads.get(task.thread);
  if (!thread) return [];
  const left = {
    ...thread,
    tasks: thread.tasks.filter((id) => id !== task.id),
    completed: thread.completed || isCompleted(task.state),
  };
  requeueAround(board, thread.id, () => {
    board.putThread(left);
    board.dropTask(task.id);
  });
  board.closing.tasks.set(task.id, task);
  board.count(board.openIn, task.project, -1);
  if (left.tasks.length > 0 || awaitsChildren(left)) {
    return [{ table: 'thread', key: left.id, row: left }];
  }
  return settle(board, left, task.state);
}

/**
 * The last task of a thread ended. The event that completes a thread says so itself; otherwise the
 * thread has ended, or is cancelled and no longer counts as a child. While its pull request is open
 * it is neither, because that may still be merged.
 */
function settle(board: Board, thread: Thread, last: TaskState): readonly Row[] {
  if (isCompleted(last) || isFinished(thread) || isPending(thread.forge.pr)) {
    return [{ table: 'thread', key: thread.id, row: thread }];
  }
  if (isCancelled(last)) return cancelThread(board, thread);
  return closeThread(board, { ...thread, state: 'ended' });
}

/** The thread no longer counts as a child. A parent with nothing done is cancelled with its last child. */
function cancelThread(board: Board, thread: Thread): readonly Row[] {
  const rows = [
    ...closeThread(board, { ...thread, state: 'cancelled' }),
    ...countChild(board, thread.parent, { children: -1, childrenDone: 0 }),
  ];
  const parent = thread.parent === null ? undefined : board.threads.get(thread.parent);
  return parent && isAbandoned(parent) ? [...rows, ...cancelThread(board, parent)] : rows;
}

function tallied(board: Board, project: string, state: Closed): Row {
  const tally = board.tallies.get(project) ?? NO_TALLY;
  const row: Tally = {
    ...tally,
    [state.is]: tally[state.is] + 1,
    ...(isRejected(state) && { rejections: oneMore(tally.rejections, state.rejection.reasonCode) }),
  };
  board.tallies.set(project, row);
  return { table: 'tally', key: project, row };
}

function oneMore(counts: Readonly<Record<string, number>>, key: string) {
  return { ...counts, [key]: (counts[key] ?? 0) + 1 };
}

export function noteOn(
  board: Board,
  id: TaskId,
  { at, kind, text }: { at: Recorded; kind: Note['kind']; text: string },
): readonly Row[] {
  const task = board.tasks.get(id) ?? board.closing.tasks.get(id);
  if (!task) return [];
  const run = isAwaitingInput(task.state) ? task.state.run : null;
  const row: Note = {
    seq: at.seq,
    thread: task.thread,
    task: id,
    run,
    by: at.actor,
    at: at.at,
    kind,
    text,
  };
  return [{ table: 'note', key: at.seq, row }];
}

/** A person gave the thread back to the agents: they start counting again. */
function withoutCounts({ failures: _, ...forge }: ThreadOnForge): ThreadOnForge {
  return { ...forge, rounds: 0, ciRetries: 0 };
}
