import type { Board } from '../domain/board.ts';
import type { HallEvent } from '../domain/event.ts';
import type { RunId, TaskId, ThreadId } from '../domain/ids.ts';

/** What an event is about; null where it is about no project or no task. */
export interface Subject {
  readonly project: string | null;
  readonly task: TaskId | null;
}

const NOTHING: Subject = { project: null, task: null };
const MOST_REMEMBERED = 20_000;

/**
 * Works out what events are about as they happen. A run or thread that an event ends has left the
 * board by then, so what was claimed is remembered for a while; undefined means that the store has to be asked.
 */
export function createSubjects(board: Board) {
  const runs = new Map<RunId, Subject>();
  const threads = new Map<ThreadId, Subject>();
  for (const { id, task, thread, project } of board.runs.values()) {
    remember(runs, id, { project, task });
    remember(threads, thread, { project, task: null });
  }

  function remember<K>(known: Map<K, Subject>, key: K, subject: Subject): Subject {
    const oldest = known.size >= MOST_REMEMBERED ? known.keys().next() : undefined;
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
    switch (event.type) {
      case 'ProjectSet':
        return { project: event.project.name, task: null };
      case 'ProjectPaused':
      case 'ProjectResumed':
      case 'ProjectRemoved':
        return { project: event.project, task: null };
      case 'ThreadReopened':
        return { project: event.thread.project, task: null };
      case 'RuleSet':
        return { project: event.rule.scope, task: null };
      case 'TaskPosted':
        return { project: event.task.project, task: event.task.id };
      case 'RunClaimed':
        return ofClaim(event.run.id, event.run.task);
      default:
        if ('run' in event) return runs.get(event.run);
        if ('thread' in event) return ofThread(event.thread);
        return 'task' in event ? ofTask(event.task) : NOTHING;
    }
  };
}
