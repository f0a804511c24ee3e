import type { Row } from '../../domain/row.ts';
import type { Task } from '../../domain/task.ts';
import type { Head, Heartbeat } from '../../ports/store.ts';
import type { Dialect, RunQuery } from './dialect.ts';
import { headOfLog } from './event-records.ts';
import {
  type HeartbeatCells,
  heartbeatFrom,
  type RunCells,
  runFrom,
  type WorkerCells,
  workerFrom,
} from './run-columns.ts';
import { openPieces } from './scan-in-batches.ts';
import { type SettingsCells, settingsRows } from './settings-columns.ts';
import { columnsOf } from './tables.ts';
import { taskFrom } from './task-columns.ts';
import { threadFrom } from './thread-columns.ts';

interface Needs {
  readonly dialect: Dialect;
  /** All its queries must see the database as of one moment. */
  readonly runQuery: RunQuery;
}

/** Loads all open work in the order that the store promises. */
export async function loadOpen(
  { dialect, runQuery }: Needs,
  put: (row: Row) => void,
  heartbeat: (heartbeat: Heartbeat) => void,
): Promise<Head> {
  const settings = await runQuery<SettingsCells>(
    `SELECT ${columnsOf('settings').join(', ')} FROM settings`,
    [],
  );
  for (const row of settingsRows(settings)) put(row);
  await loadThreads(dialect, runQuery, put);
  await loadTasks(dialect, runQuery, put);
  const workers = `SELECT ${columnsOf('worker').join(', ')} FROM worker${dialect.along('worker_active')}
    WHERE deregistered = 0 ORDER BY id`;
  for (const cells of await runQuery<WorkerCells>(workers, [])) {
    const row = workerFrom(cells);
    put({ table: 'worker', key: row.id, row });
  }
  const runs = `SELECT ${columnsOf('run').join(', ')} FROM run${dialect.along('run_open')}
    WHERE ended = 0`;
  const open = (await runQuery<RunCells>(runs, [])).map(runFrom);
  for (const row of open.sort((a, b) => a.id - b.id)) put({ table: 'run', key: row.id, row });
  for (const each of await heartbeatsOf(runQuery)) heartbeat(each);
  return headOfLog(runQuery);
}

/**
 * The texts of a row arrive as one text, and equal texts are parsed once: a million tasks have a few hundred
 * of them. Reading column by column takes a fifth longer and half as much memory again (measured with a
 * million tasks).
 */
function createTextParser<Texts>(): (text: string) => Texts {
  const known = new Map<string, Texts>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const texts: Texts = JSON.parse(text);
    if (known.size < MAX_PARSED) known.set(text, texts);
    return texts;
  };
}

const MAX_PARSED = 100_000;

type OpenThread = readonly [
  id: number,
  openedAt: number,
  parent: number | null,
  facts: string | null,
  words: string,
];
type ThreadTexts = readonly [project: string, state: string, size: string, agent: string | null];

async function loadThreads(
  dialect: Dialect,
  runQuery: RunQuery,
  put: (row: Row) => void,
): Promise<void> {
  const texts = dialect.together(['project', 'state', 'size', 'agent']);
  const columns = ['id', 'opened_at', 'parent', 'facts', texts];
  const open = {
    table: 'thread',
    columns,
    isOpen: "state = 'open'",
    index: 'thread_open',
  } as const;
  const parseTexts = createTextParser<ThreadTexts>();
  for await (const rows of openPieces<OpenThread>(dialect, runQuery, open)) {
    for (const [id, openedAt, parent, facts, text] of rows) {
      const [project, state, size, agent] = parseTexts(text);
      const row = threadFrom([id, project, state, parent, size, agent, openedAt, '', facts]);
      put({ table: 'thread', key: row.id, row });
    }
  }
}

type OpenTask = readonly [
  id: number,
  thread: number,
  since: number,
  postedAt: number,
  facts: string | null,
  words: string,
];
type TaskTexts = readonly [
  project: string,
  state: string,
  skill: string,
  type: string,
  instance: string | null,
  agent: string,
  actor: string,
];

async function loadTasks(
  dialect: Dialect,
  runQuery: RunQuery,
  put: (row: Row) => void,
): Promise<void> {
  const texts = ['project', 'state', 'skill', 'type', 'instance', 'agent', 'actor'];
  const columns = ['id', 'thread', 'since', 'posted_at', 'facts', dialect.together(texts)];
  const open = { table: 'task', columns, isOpen: 'closed = 0', index: 'task_open' } as const;
  const parseTexts = createTextParser<TaskTexts>();
  for await (const rows of openPieces<OpenTask>(dialect, runQuery, open)) {
    for (const cells of rows) {
      const row = openTask(cells, parseTexts(cells[5]));
      put({ table: 'task', key: row.id, row });
    }
  }
}

function openTask([id, thread, since, postedAt, facts]: OpenTask, texts: TaskTexts): Task {
  const [project, state, skill, type, instance, agent, actor] = texts;
  return taskFrom([
    id,
    thread,
    project,
    state,
    since,
    skill,
    type,
    instance,
    agent,
    actor,
    postedAt,
    0,
    '',
    facts,
  ]);
}

export async function heartbeatsOf(runQuery: RunQuery): Promise<readonly Heartbeat[]> {
  const sql = 'SELECT worker, last_seen, worked FROM heartbeat ORDER BY worker';
  return (await runQuery<HeartbeatCells>(sql, [])).map(heartbeatFrom);
}
