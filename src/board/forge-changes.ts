import type { TaskId, ThreadId } from '../domain/ids.ts';
import type { Decide } from './command.ts';
import type { Hall } from './hall.ts';

/** Until a decision changes nothing: each call ends at most one task. */
export async function repeatForForge(
  hall: Hall,
  take: Decide<unknown>,
  caused: Caused = {},
): Promise<void> {
  for (let tries = 0; tries < MAX_STEPS; tries += 1) {
    let changes = 0;
    const counted: Decide<unknown> = (...args) => {
      const decision = take(...args);
      changes = decision.events.length;
      return decision;
    };
    await changeForForge(hall, counted, caused);
    if (changes === 0) return;
  }
}

const MAX_STEPS = 100;

export interface Caused {
  readonly by?: string;
  /** Threads that may be closed, which the decision reopens. */
  readonly threads?: readonly ThreadId[];
}

/** One change that a look at a forge led to. */
export async function changeForForge(
  hall: Hall,
  take: Decide<unknown>,
  { by = 'hall', threads = [] }: Caused = {},
): Promise<void> {
  const tasks = threads.map(firstTask);
  const meta = { actor: by, cause: 'forge' };
  await hall.leading()?.writer.change({ meta, decide: take, keys: { threads, tasks } });
}

/** The first task of a thread has the thread's number. */
function firstTask(thread: ThreadId): TaskId {
  return thread as number as TaskId;
}
