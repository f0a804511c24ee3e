import type { Hall } from '../board/hall.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import { why } from '../domain/why.ts';
import type { ThreadRecord } from '../ports/store.ts';
import { look } from './changing.ts';
import { withThreads } from './task-list.ts';
import { runView } from './views/run.ts';
import { taskView, whyView } from './views/task.ts';
import { noteView, threadView } from './views/thread.ts';
import { waitingIn } from './waiting.ts';

/** A task with all that belongs to it, or undefined when there is none. */
export async function wholeTask(hall: Hall, id: TaskId) {
  const { store } = hall;
  const [record] = await store.tasksById([id]);
  if (!record) return undefined;
  const { task, title, body } = record;
  const [[own], runs, around, reasons] = await Promise.all([
    store.threadsById([task.thread]),
    store.runsOfTask(id),
    aroundThread(hall, task.thread),
    whyNot(hall, id),
  ]);
  if (!own) throw new Error(`thread ${task.thread} of task ${id} is not in the store`);
  return {
    task: { ...taskView(task, own.thread, title), body },
    thread: shownThread(hall, own),
    runs: runs.map(runView),
    ...around,
    dependencies: await threadsNamed(hall, own.thread.after),
    why: reasons ?? null,
  };
}

/** A thread with all that belongs to it, or undefined when there is none. */
export async function wholeThread(hall: Hall, id: ThreadId) {
  const { store } = hall;
  const [record] = await store.threadsById([id]);
  if (!record) return undefined;
  const [tasks, around] = await Promise.all([store.tasksOfThread(id), aroundThread(hall, id)]);
  return {
    thread: shownThread(hall, record),
    tasks: await withThreads(store, tasks),
    ...around,
    dependencies: await threadsNamed(hall, record.thread.after),
  };
}

/** Why an open task is not running; undefined when it is not open. */
export function whyNot(hall: Hall, id: TaskId) {
  return look(hall, (board) => {
    const task = board.tasks.get(id);
    const thread = task && board.threads.get(task.thread);
    return task && thread ? whyView(why(board, task, thread, waitingIn(hall))) : undefined;
  });
}

async function aroundThread(hall: Hall, id: ThreadId) {
  const [notes, children] = await Promise.all([
    hall.store.notesOfThread(id),
    hall.store.childrenOf(id),
  ]);
  return {
    notes: notes.map(noteView),
    children: children.map((child) => shownThread(hall, child)),
  };
}

async function threadsNamed(hall: Hall, ids: readonly ThreadId[]) {
  const records = ids.length === 0 ? [] : await hall.store.threadsById(ids);
  return records.map((record) => shownThread(hall, record));
}

/** Which tasks of a thread are open follows from the tasks, so memory is asked. */
export function shownThread({ board }: Hall, { thread, title }: ThreadRecord) {
  return threadView({ ...thread, tasks: board.threads.get(thread.id)?.tasks ?? [] }, title);
}
