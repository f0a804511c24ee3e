import type { Board } from './board.ts';
import { nameOf, type ThreadId } from './ids.ts';
import { type Refusal, refuse } from './refusal.ts';
import { routeOf } from './routing.ts';
import { writes } from './skill.ts';
import { isAvailable, type Task } from './task.ts';
import type { Thread } from './thread.ts';

/**
 * What in its own thread keeps an available task from starting: a person has the thread, a run of
 * the same agent or another writer is active in it, or an earlier task of that kind comes first.
 */
export function threadRule(board: Board, task: Task, thread: Thread): Refusal | undefined {
  if (thread.handedOver) {
    const { by, because } = thread.handedOver;
    const why = because === null ? '' : `: ${because}`;
    return refuse(
      'thread_handed_over',
      `${by} has taken over ${nameOf('thread', thread.id)}${why}`,
    );
  }
  for (const id of board.runsIn.get(thread.id) ?? NO_RUNS) {
    const run = board.runs.get(id);
    if (run && excludes(task, run.agent, run.writes)) {
      return refuse('thread_busy', `${nameOf('run', id)} of ${run.agent} is active in this thread`);
    }
  }
  const earlier = earlierRival(board, task, thread);
  if (!earlier) return undefined;
  return refuse('behind_in_thread', `${nameOf('task', earlier.id)} of the same thread comes first`);
}

const NO_RUNS: readonly never[] = [];

function excludes(task: Task, agent: string, writing: boolean): boolean {
  return task.agent === agent || (writing && writes(task.skill));
}

function earlierRival(board: Board, task: Task, thread: Thread): Task | undefined {
  for (const id of thread.tasks) {
    if (id >= task.id) return undefined;
    const other = board.tasks.get(id);
    if (!other || !isAvailable(other.state)) continue;
    if (excludes(task, other.agent, writes(other.skill))) return other;
  }
  return undefined;
}

/** The tasks of a thread that belong in the ready set. */
function startable(board: Board, thread: Thread): readonly Task[] {
  const tasks: Task[] = [];
  for (const id of thread.tasks) {
    const task = board.tasks.get(id);
    if (task && isAvailable(task.state) && !threadRule(board, task, thread)) tasks.push(task);
  }
  return tasks;
}

/** Makes a change that affects a thread's place in the ready set, and updates that place. */
export function requeueAround(board: Board, id: ThreadId, change: () => void): void {
  const before = board.threads.get(id);
  if (before) removeFromQueue(board, before);
  change();
  const after = board.threads.get(id);
  if (after) addToQueue(board, after);
}

export function removeFromQueue(board: Board, thread: Thread): void {
  for (const task of startable(board, thread)) {
    board.ready.remove(routeOf(board, task, thread), thread.id, task.id);
  }
  for (const id of thread.tasks) {
    const at = dueAt(board, board.tasks.get(id));
    if (at !== undefined) board.removeDue(at, id);
  }
}

export function addToQueue(board: Board, thread: Thread): void {
  for (const task of startable(board, thread)) {
    board.ready.add(routeOf(board, task, thread), thread.id, task.id);
    board.wakeups.projects.add(thread.project);
  }
  for (const id of thread.tasks) {
    const at = dueAt(board, board.tasks.get(id));
    if (at !== undefined) board.addDue(at, id);
  }
}

/** When the clock must act on a task: its deferral or its label wait ends. */
function dueAt(board: Board, task: Task | undefined): number | undefined {
  if (!task) return undefined;
  if (task.state.is === 'deferred') return task.state.until;
  if (task.state.is !== 'available' || task.labelWaitExpired) return undefined;
  const wait = board.types.get(task.type)?.settings.labelWait;
  return wait === null || wait === undefined ? undefined : task.state.since + wait;
}
