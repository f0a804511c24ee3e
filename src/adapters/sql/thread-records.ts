import type { TaskId, ThreadId } from '../../domain/ids.ts';
import type { Page, ThreadQuery, ThreadRecord } from '../../ports/store.ts';
import type { Dialect, RunQuery } from './dialect.ts';
import { columnsOf } from './tables.ts';
import { SCAN } from './task-page.ts';
import { type ThreadCells, threadFrom } from './thread-columns.ts';

type RecordCells = readonly [...ThreadCells, tasks: string | null];

interface ThreadReads {
  byId(ids: readonly ThreadId[]): Promise<readonly ThreadRecord[]>;
  ofParent(parent: ThreadId): Promise<readonly ThreadRecord[]>;
  page(query: ThreadQuery): Promise<Page<ThreadRecord>>;
}

export function readThreads(dialect: Dialect, runQuery: RunQuery): ThreadReads {
  const columns = columnsOf('thread').map((column) => `thread.${column}`);
  const tasks = `(SELECT ${dialect.joined('task.id')} FROM task
    WHERE task.thread = thread.id AND task.closed = 0)`;
  const select = `SELECT ${columns.join(', ')}, ${tasks} FROM thread`;
  const ofProject = `${select}${dialect.along('thread_of_project')} WHERE thread.project = ? AND`;
  return {
    async byId(ids) {
      if (ids.length === 0) return [];
      const sql = `${select} WHERE ${dialect.among('thread.id')}`;
      const cells = await runQuery<RecordCells>(sql, [dialect.list(ids)]);
      const records = new Map(cells.map((row) => [row[0] as ThreadId, recordFrom(row)]));
      return ids.map((id) => records.get(id)).filter((record) => record !== undefined);
    },
    async ofParent(parent) {
      const sql = `${select} WHERE thread.parent = ? ORDER BY thread.id`;
      return (await runQuery<RecordCells>(sql, [parent])).map(recordFrom);
    },
    async page({ project, before = Number.MAX_SAFE_INTEGER, limit }) {
      const length = Math.min(limit, SCAN);
      const sql = `${project === undefined ? `${select} WHERE` : ofProject} thread.id < ?
        ORDER BY thread.id DESC LIMIT ?`;
      const where = project === undefined ? [before] : [project, before];
      const cells = await runQuery<RecordCells>(sql, [...where, length + 1]);
      const rows = cells.slice(0, length).map(recordFrom);
      return { rows, next: cells.length > length ? rows.at(-1)?.thread.id : undefined };
    },
  };
}

function recordFrom(cells: RecordCells): ThreadRecord {
  const thread = threadFrom(cells);
  const tasks = cells[9];
  const title = cells[7];
  return { thread: tasks === null ? thread : { ...thread, tasks: idsIn(tasks) }, title };
}

function idsIn(joined: string): readonly TaskId[] {
  const ids = joined.split(',').map(Number);
  return ids.sort((a, b) => a - b) as TaskId[];
}
