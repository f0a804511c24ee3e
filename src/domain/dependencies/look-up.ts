import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { nameOf, numberIn, type TaskId, type ThreadId } from '../ids.ts';
import { isDone } from '../thread.ts';

/** A thread named by its id, by one of its tasks, or by the name of another task in the same post. */
export type Dependency =
  | { readonly thread: ThreadId }
  | { readonly task: TaskId }
  | { readonly ref: string };

/** Parses a name in `depends_on`. */
export function parseDependency(name: string): Dependency {
  const task = numberIn('task', name);
  if (task !== undefined) return { task: task as TaskId };
  const thread = numberIn('thread', name);
  return thread === undefined ? { ref: name } : { thread: thread as ThreadId };
}

export interface FoundThread {
  readonly id: ThreadId;
  readonly project: string;
  readonly done: boolean;
}

/** The thread that a dependency names, open or closed. */
export function findThread(
  board: Board,
  recalled: ClosedWork,
  dependency: Dependency,
): FoundThread | undefined {
  if ('ref' in dependency) return undefined;
  const id =
    'thread' in dependency ? dependency.thread : threadOf(board, recalled, dependency.task);
  const thread = id === undefined ? undefined : (board.threads.get(id) ?? recalled.thread(id));
  return thread && { id: thread.id, project: thread.project, done: isDone(thread) };
}

/** The thread of a task, open or closed. */
export function threadOf(board: Board, recalled: ClosedWork, id: TaskId): ThreadId | undefined {
  return (board.tasks.get(id) ?? recalled.task(id))?.thread;
}

/** The error for a dependency whose thread is unknown or belongs to another project. */
export function wrongDependency(dependency: Dependency, found: object | undefined): string {
  return `${dependencyName(dependency)} ${found ? 'is in another project' : 'does not exist'}`;
}

export function dependencyName(dependency: Dependency): string {
  if ('ref' in dependency) return dependency.ref;
  if ('task' in dependency) return nameOf('task', dependency.task);
  return nameOf('thread', dependency.thread);
}
