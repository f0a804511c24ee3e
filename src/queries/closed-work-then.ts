import type { Board } from '../domain/board.ts';
import type { TaskId, ThreadId } from '../domain/ids.ts';
import { hasFailed, type Task } from '../domain/task.ts';
import type { Thread } from '../domain/thread.ts';

/** As many as an overview shows. */
const MOST = 20;

/** The tasks that ended last in a board that is being folded, which forgets them with each commit. */
export class ClosedWorkThen {
  readonly #ended = new Newest();
  readonly #failed = new Newest();
  readonly #threads = new Map<ThreadId, Thread>();

  /** Takes over what the board is about to forget. */
  note({ closing }: Pick<Board, 'closing'>): void {
    for (const task of closing.tasks.values()) {
      this.#ended.add(task);
      if (hasFailed(task.state)) this.#failed.add(task);
    }
    for (const thread of closing.threads.values()) this.#threads.set(thread.id, thread);
    if (this.#threads.size > 100 * MOST) this.#forgetThreads();
  }

  /** Newest first. */
  ended(): readonly Task[] {
    return this.#ended.list();
  }

  failed(): readonly Task[] {
    return this.#failed.list();
  }

  thread(id: ThreadId): Thread | undefined {
    return this.#threads.get(id);
  }

  #forgetThreads(): void {
    const needed = new Set([...this.ended(), ...this.failed()].map(({ thread }) => thread));
    for (const id of this.#threads.keys()) if (!needed.has(id)) this.#threads.delete(id);
  }
}

/** The newest tasks of many. */
class Newest {
  #tasks = new Map<TaskId, Task>();

  add(task: Task): void {
    this.#tasks.set(task.id, task);
    if (this.#tasks.size < 10 * MOST) return;
    this.#tasks = new Map(this.list().map((each) => [each.id, each]));
  }

  list(): readonly Task[] {
    return [...this.#tasks.values()].toSorted((a, b) => b.id - a.id).slice(0, MOST);
  }
}
