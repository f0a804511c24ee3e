import type { Hall } from '../board/hall.ts';
import type { Board } from '../domain/board.ts';
import { progressOf, type Thread } from '../domain/thread.ts';
import { look } from './changing.ts';
import { taskName, threadName } from './views/plain.ts';

/** More than anybody can look at. */
const MOST_THREADS = 2_000;

/** Open threads that wait for others or are parts of others, newest first. */
export async function graphOf(hall: Hall, project: string | undefined) {
  const related = await look(hall, (board) => relatedIn(board, project));
  const shown = related.slice(0, MOST_THREADS);
  const records = await hall.store.threadsById(shown.map(({ id }) => id));
  const titles = new Map(records.map(({ thread, title }) => [thread.id, title]));
  return {
    threads: shown.map((thread) => ({
      id: threadName(thread.id),
      project: thread.project,
      title: titles.get(thread.id) ?? '',
      parent: thread.parent === null ? null : threadName(thread.parent),
      depends_on: thread.after.map(threadName),
      waits_for: thread.waits.map(threadName),
      progress: progressOf(thread),
      tasks: thread.tasks.map(taskName),
    })),
    more: related.length > shown.length,
  };
}

function relatedIn(board: Board, project: string | undefined): readonly Thread[] {
  const related: Thread[] = [];
  for (const thread of board.threads.values()) {
    if (project !== undefined && thread.project !== project) continue;
    if (isRelated(board, thread)) related.push(thread);
  }
  return related.sort((a, b) => b.id - a.id);
}

function isRelated(board: Board, { id, parent, children, after }: Thread): boolean {
  return parent !== null || children > 0 || after.length > 0 || board.dependents.has(id);
}
