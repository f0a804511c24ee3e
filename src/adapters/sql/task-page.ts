import {
  CLOSED_STATES,
  HELD_STATES,
  type TaskState,
  UNSUCCESSFUL_STATES,
} from '../../domain/task.ts';
import type { Page, TaskQuery, TaskRecord } from '../../ports/store.ts';
import type { Dialect, RunQuery, Value } from './dialect.ts';
import { searchTerms } from './search-index.ts';
import type { SearchTerm } from './search-words.ts';
import { UNSUCCESSFUL } from './tables.ts';
import { RECORD, type RecordCells, recordFrom, WITH_TASK } from './task-records.ts';

/** No page scans more rows than this, so any filter is as fast over a million tasks as over ten. */
export const SCAN = 20_000;

interface Condition {
  readonly where: string;
  readonly values: readonly Value[];
}

/** Rows to scan, newest first, by the index that has only them. */
interface Source extends Condition {
  readonly from: string;
  readonly key: string;
  /** A placeholder for a bound on the key, if it must be a special one. */
  readonly bound?: string;
}

interface Plan {
  readonly sources: readonly Source[];
  /** Conditions that the sources do not cover. */
  readonly filters: readonly Condition[];
}

export async function taskPage(
  dialect: Dialect,
  runQuery: RunQuery,
  query: TaskQuery,
): Promise<Page<TaskRecord>> {
  const limit = Math.min(query.limit, SCAN);
  const before = query.before ?? Number.MAX_SAFE_INTEGER;
  const { sources, filters } = planFor(dialect, query);
  const found: RecordCells[] = [];
  let floor: number | undefined;
  for (const source of sources) {
    const end = filters.length === 0 ? undefined : await endOf(runQuery, source, before);
    if (end !== undefined) floor = Math.max(floor ?? 0, end);
    found.push(...(await walk(runQuery, source, filters, { before, end, limit: limit + 1 })));
  }
  const candidates = found.filter(([id]) => floor === undefined || id >= floor);
  candidates.sort(([a], [b]) => b - a);
  const rows = candidates.slice(0, limit).map(recordFrom);
  return {
    rows: rows.filter(({ task }) => matchesState(query, task.state.is)),
    next: candidates.length > limit ? candidates[limit - 1]?.[0] : floor,
  };
}

/** The table has a claimed task as available, so its run decides the state. */
function matchesState({ states }: TaskQuery, is: TaskState['is']): boolean {
  return states === undefined || states.includes(is);
}

/** The last row one page may scan, or undefined when the rows end before that. */
async function endOf(
  runQuery: RunQuery,
  source: Source,
  before: number,
): Promise<number | undefined> {
  const { from, key, where, values, bound = '?' } = source;
  const sql = `SELECT ${key} FROM ${from} WHERE ${where} AND ${key} < ${bound}
    ORDER BY ${key} DESC LIMIT 1 OFFSET ${SCAN - 1}`;
  const [last] = await runQuery<readonly [number]>(sql, [...values, before]);
  return last?.[0];
}

async function walk(
  runQuery: RunQuery,
  { from, key, where, values, bound = '?' }: Source,
  filters: readonly Condition[],
  { before, end, limit }: { before: number; end: number | undefined; limit: number },
): Promise<readonly RecordCells[]> {
  const conditions: readonly Condition[] = [
    { where, values },
    { where: `${key} < ${bound}`, values: [before] },
    ...(end === undefined ? [] : [{ where: `${key} >= ${bound}`, values: [end] }]),
    ...filters,
  ];
  const sql = `SELECT ${RECORD} FROM ${from} ${WITH_TASK}
    WHERE ${conditions.map((condition) => condition.where).join(' AND ')}
    ORDER BY ${key} DESC LIMIT ?`;
  return runQuery<RecordCells>(sql, [
    ...conditions.flatMap((condition) => condition.values),
    limit,
  ]);
}

const HELD: readonly string[] = HELD_STATES;
const BAD: readonly string[] = UNSUCCESSFUL_STATES;
const CLOSED: readonly string[] = CLOSED_STATES;

function planFor(dialect: Dialect, query: TaskQuery): Plan {
  const { project, states } = query;
  const byProject = { where: 'task.project = ?', values: project === undefined ? [] : [project] };
  const inProject = project === undefined ? [] : [byProject];
  const terms = searchTerms(query);
  if (terms) {
    const filters = [...inProject, ...stateFilter(dialect, query), ...typeFilter(query)];
    return { sources: terms.length === 0 ? [] : [found(dialect, terms)], filters };
  }
  const commonFilters = typeFilter(query);
  if (states?.every((state) => BAD.includes(state))) {
    return { sources: states.map(endedBadly(dialect)), filters: [...inProject, ...commonFilters] };
  }
  if (states?.every((state) => HELD.includes(state))) {
    const ofRun = inProject.map(({ values }) => ({ where: 'holder.project = ?', values }));
    return { sources: [claimed(dialect)], filters: [...ofRun, ...commonFilters] };
  }
  const filters = [...stateFilter(dialect, query), ...commonFilters];
  if (project !== undefined) {
    const from = `task${dialect.along('task_of_project')}`;
    return { sources: [{ from, key: 'task.id', ...byProject }], filters };
  }
  if (states?.every((state) => !CLOSED.includes(state))) {
    const from = `task${dialect.along('task_open')}`;
    return { sources: [{ from, key: 'task.id', where: 'task.closed = 0', values: [] }], filters };
  }
  return { sources: [{ from: 'task', key: 'task.id', where: '1 = 1', values: [] }], filters };
}

function endedBadly({ along }: Dialect) {
  return (state: string): Source => ({
    from: `task${along('task_unsuccessful')}`,
    key: 'task.id',
    where: `task.${UNSUCCESSFUL} AND task.state = ?`,
    values: [state],
  });
}

function claimed({ along }: Dialect): Source {
  return {
    from: `run AS holder${along('run_open')} JOIN task ON task.id = holder.task`,
    key: 'holder.task',
    where: 'holder.ended = 0',
    values: [],
  };
}

/** CROSS JOIN keeps SQLite from starting with the tasks. */
function found({ search }: Dialect, terms: readonly SearchTerm[]): Source {
  return {
    from: 'task_search CROSS JOIN task',
    key: search.key,
    where: `${search.matches} AND task.id = ${search.key}`,
    values: [search.termsValue(terms)],
    bound: search.bound,
  };
}

function stateFilter(dialect: Dialect, { states }: TaskQuery): readonly Condition[] {
  if (states === undefined) return [];
  const stored = states.map((state) => (HELD.includes(state) ? 'available' : state));
  return [{ where: dialect.among('task.state'), values: [dialect.list([...new Set(stored)])] }];
}

function typeFilter({ type }: TaskQuery): readonly Condition[] {
  return type === undefined ? [] : [{ where: 'task.type = ?', values: [type] }];
}
