import type { ThreadId } from '../domain/ids.ts';
import { isClosed } from '../domain/task.ts';
import type { Reads, TaskRecord } from '../ports/store.ts';

/** The task that represents a thread: the first that has not ended, else the last one posted. */
export async function taskOfThread(
  store: Pick<Reads, 'tasksOfThread'>,
  id: ThreadId,
): Promise<TaskRecord | undefined> {
  const records = await store.tasksOfThread(id);
  return records.find(({ task }) => !isClosed(task.state)) ?? records.at(-1);
}
