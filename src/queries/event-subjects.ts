import type { Board } from '../domain/board.ts';
import type { HallEvent } from '../domain/event.ts';
import { NO_SUBJECT, type Subject, subjectNamedIn } from '../domain/event-subject.ts';
import type { RunId, TaskId, ThreadId } from '../domain/ids.ts';

const MAX_REMEMBERED = 20_000;

/**
 * Determines the subject of each event as it happens. A run or thread that an event ends has left
 * the board by then, so claims are remembered for a while; undefined means the store must be asked.
 */
export function createSubjects(board: Board) {
  const runs = new Map<RunId, Subject>();
  const threads = new Map<ThreadId, Subject>();
  for (const { id, task, thread, project } of board.runs.values()) {
    remember(runs, id, { project, task });
    remember(threads, thread, { project, task: null });
  }

  function remember<K>(known: Map<K, Subject>, key: K, subject: Subject): Subject {
    const oldest = known.size >= MAX_REMEMBERED ? known.keys().next() : undefined;
    if (oldest && !oldest.done) known.delete(oldest.value);
    known.set(key, subject);
    return subject;
  }

  function ofTask(task: TaskId): Subject | undefined {
    const project = board.tasks.get(task)?.project;
    return project === undefined ? undefined : { project, task };
  }

  function ofThread(id: ThreadId): Subject | undefined {
    const project = board.threads.get(id)?.project;
    return project === undefined ? threads.get(id) : { project, task: null };
  }

  function ofClaim(run: RunId, task: TaskId): Subject | undefined {
    const row = board.tasks.get(task);
    if (!row) return undefined;
    remember(threads, row.thread, { project: row.project, task: null });
    return remember(runs, run, { project: row.project, task });
  }

  return (event: HallEvent): Subject | undefined => {
    if (event.type === 'RunClaimed') return ofClaim(event.run.id, event.run.task);
    const named = subjectNamedIn(event);
    if (named) return named;
    if ('run' in event) return runs.get(event.run);
    if ('thread' in event && typeof event.thread === 'number') return ofThread(event.thread);
    return 'task' in event && typeof event.task === 'number' ? ofTask(event.task) : NO_SUBJECT;
  };
}
