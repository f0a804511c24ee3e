import type { Why as WhyOut } from '../api/tasks.ts';
import type { Hall } from '../board/hall.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import { mergeWait } from '../domain/merging/policy.ts';
import { nextStep, whyEnded } from '../domain/operator-hints.ts';
import { hasEnded, isProposed, type Task } from '../domain/task.ts';
import { workerActing } from '../domain/worker.ts';
import type { ThreadRecord } from '../ports/store.ts';
import { withThreads } from './task-list.ts';
import { taskOfThread } from './thread-task.ts';
import { taskName, workerName } from './views/ids-and-times.ts';
import { runView } from './views/run.ts';
import { taskView, whyView } from './views/task.ts';
import { noteView, threadView } from './views/thread.ts';
import { type WhyNeeds, whyNotRunning } from './why-not-running.ts';

/** A task with everything that belongs to it, or undefined when there is none. */
export async function taskDetail(needs: WhyNeeds, id: TaskId) {
  const { hall } = needs;
  const { store } = hall;
  const [record] = await store.tasksById([id]);
  if (!record) return undefined;
  const { task, title, body } = record;
  const [[threadRecord], runs, children, notes, reasons] = await Promise.all([
    store.threadsById([task.thread]),
    store.runsOfTask(id),
    childrenOf(hall, task.thread),
    store.notesOfThread(task.thread),
    whyNotRunning(needs, id),
  ]);
  if (!threadRecord) throw new Error(`thread ${task.thread} of task ${id} is not in the store`);
  return {
    task: {
      ...taskView(task, threadRecord.thread, title),
      body,
      proposed_by: threadRecord.thread.parent === null ? null : await proposerOf(hall, id),
    },
    thread: threadSummary(hall, threadRecord),
    runs: runs.map(runView),
    notes: notes.map(noteView),
    children: children.map((child) => childView(hall, child)),
    dependencies: await threadsNamed(hall, threadRecord.thread.dependsOn),
    why: reasons ?? null,
    next_step: nextStep(task, threadRecord.thread, standingOf(hall, threadRecord, children)),
  };
}

/** Why an ended task is not running; undefined when the task does not exist or has not ended. */
export async function whyTaskEnded(hall: Hall, id: TaskId): Promise<WhyOut | undefined> {
  const [record] = await hall.store.tasksById([id]);
  if (!record || !hasEnded(record.task)) return undefined;
  const { task } = record;
  const [threadRecord] = await hall.store.threadsById([task.thread]);
  const children = await childrenOf(hall, task.thread);
  const step = threadRecord
    ? nextStep(task, threadRecord.thread, standingOf(hall, threadRecord, children))
    : null;
  return whyView(whyEnded(task, step));
}

/** A thread with everything that belongs to it, or undefined when there is none. */
export async function threadDetail(hall: Hall, id: ThreadId) {
  const { store } = hall;
  const [record] = await store.threadsById([id]);
  if (!record) return undefined;
  const [tasks, children, notes] = await Promise.all([
    store.tasksOfThread(id),
    childrenOf(hall, id),
    store.notesOfThread(id),
  ]);
  return {
    thread: threadSummary(hall, record),
    tasks: await withThreads(store, tasks),
    notes: notes.map(noteView),
    children: children.map((child) => childView(hall, child)),
    dependencies: await threadsNamed(hall, record.thread.dependsOn),
  };
}

/** A part is posted in the name of the person behind the whole; its event names the real poster. */
async function proposerOf({ store }: Hall, id: TaskId) {
  const { rows } = await store.events({ task: id, types: ['TaskPosted'], limit: 1 });
  const worker = workerActing(rows[0]?.actor ?? '');
  const row = worker === undefined ? undefined : await store.worker(worker);
  return row ? { worker: workerName(row.id), instance: row.instance } : null;
}

interface Child {
  readonly thread: ThreadRecord;
  readonly task: Task | undefined;
}

async function childrenOf({ store }: Hall, id: ThreadId): Promise<readonly Child[]> {
  const threads = await store.childrenOf(id);
  return Promise.all(
    threads.map(async (thread) => {
      const record = await taskOfThread(store, thread.thread.id);
      return { thread, task: record?.task };
    }),
  );
}

function standingOf({ board }: Hall, { thread }: ThreadRecord, children: readonly Child[]) {
  const open = board.threads.get(thread.id);
  return { proposed: proposedAmong(children), wait: open ? mergeWait(board, open) : null };
}

function proposedAmong(children: readonly Child[]): readonly TaskId[] {
  return children.flatMap(({ task }) => (task && isProposed(task.state) ? [task.id] : []));
}

function childView(hall: Hall, { thread, task }: Child) {
  return {
    ...threadSummary(hall, thread),
    task: task ? { id: taskName(task.id), state: task.state.is } : null,
  };
}

async function threadsNamed(hall: Hall, ids: readonly ThreadId[]) {
  const records = ids.length === 0 ? [] : await hall.store.threadsById(ids);
  return records.map((record) => threadSummary(hall, record));
}

/** A thread's open tasks are derived, not stored with it, so they come from memory. */
export function threadSummary({ board }: Hall, { thread, title }: ThreadRecord) {
  const open = board.threads.get(thread.id);
  return threadView(
    { ...thread, tasks: open?.tasks ?? [] },
    title,
    open ? mergeWait(board, open) : null,
  );
}
