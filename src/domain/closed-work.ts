import type { TaskId, ThreadId } from './ids.ts';
import type { Task } from './task.ts';
import type { Thread } from './thread.ts';

/** Closed tasks and threads that a command names, read from the store before the decision. */
export interface ClosedWork {
  task(id: TaskId): Task | undefined;
  thread(id: ThreadId): Thread | undefined;
}
