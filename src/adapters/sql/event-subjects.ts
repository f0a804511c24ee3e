import type { Recorded } from '../../domain/event.ts';
import { NO_SUBJECT, type Subject, subjectNamedIn } from '../../domain/event-subject.ts';
import type { RunId, TaskId, ThreadId } from '../../domain/ids.ts';
import type { Row } from '../../domain/row.ts';
import type { Group } from '../../ports/store.ts';

/**
 * The subject of each event of a group, in order. Most follow from the event and its rows. A few events
 * write no row of their task; for those the store looks up the project.
 */
export function subjectsOf(
  { events, rows }: Pick<Group, 'events' | 'rows'>,
  projectOf: (task: TaskId) => string | null,
): readonly Subject[] {
  const changed = rowsByKey(rows);

  function ofTask(task: TaskId): Subject {
    const row = changed.get(`task ${task}`);
    return { task, project: row?.table === 'task' ? row.row.project : projectOf(task) };
  }

  function ofThread(thread: ThreadId): Subject {
    const row = changed.get(`thread ${thread}`);
    return { task: null, project: row?.table === 'thread' ? row.row.project : null };
  }

  function ofRun(id: RunId, { seq }: Recorded): Subject {
    const run = changed.get(`run ${id}`);
    if (run?.table === 'run') return { task: run.row.task, project: run.row.project };
    const note = changed.get(`note ${seq}`);
    return note?.table === 'note' ? ofTask(note.row.task) : NO_SUBJECT;
  }

  function subjectOf(recorded: Recorded): Subject {
    const { event } = recorded;
    const named = subjectNamedIn(event);
    if (named) return named;
    if (event.type === 'RunClaimed') return ofRun(event.run.id, recorded);
    if ('run' in event) return ofRun(event.run, recorded);
    if ('task' in event && typeof event.task === 'number') return ofTask(event.task);
    if ('thread' in event && typeof event.thread === 'number') return ofThread(event.thread);
    return NO_SUBJECT;
  }

  return events.map(subjectOf);
}

function rowsByKey(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [`${row.table} ${row.key}`, row]));
}
