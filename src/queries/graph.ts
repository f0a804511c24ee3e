import type { Hall } from '../board/hall.ts';
import type { Board } from '../domain/board.ts';
import type { TaskId } from '../domain/ids.ts';
import { progressOf, type Thread } from '../domain/thread.ts';
import { filterInBatches } from './filter-in-batches.ts';
import { taskName, threadName } from './views/ids-and-times.ts';

/** More than a person can take in. */
const MAX_THREADS = 2_000;

/** Open threads that wait for others or are parts of others, newest first. */
export async function graphOf({ board, store }: Hall, project: string | undefined) {
  const related = await filterInBatches(relatedThreads(board), (thread) => {
    return project === undefined || thread.project === project;
  });
  const ids = related.map(({ id }) => id).sort((a, b) => b - a);
  const records = await store.threadsById(ids.slice(0, MAX_THREADS));
  return {
    threads: records
      .toSorted((a, b) => b.thread.id - a.thread.id)
      .map(({ thread, title }) => nodeView(thread, title, board.threads.get(thread.id)?.tasks)),
    more: ids.length > MAX_THREADS,
  };
}

function nodeView(thread: Thread, title: string, open: readonly TaskId[] = []) {
  return {
    id: threadName(thread.id),
    project: thread.project,
    title,
    parent: thread.parent === null ? null : threadName(thread.parent),
    depends_on: thread.dependsOn.map(threadName),
    blocked_by: thread.blockedBy.map(threadName),
    progress: progressOf(thread),
    tasks: open.map(taskName),
  };
}

/** From the indexes: among 200,000 open threads, looking for them took 92 ms. */
function* relatedThreads({ threads, relatedThreads: related, dependents }: Board) {
  for (const id of related.keys()) {
    const thread = threads.get(id);
    if (thread) yield thread;
  }
  for (const [id] of dependents.entries()) {
    const thread = threads.get(id);
    if (thread && !related.has(id)) yield thread;
  }
}
