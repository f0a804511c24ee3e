import type { Recorded } from '../../domain/event.ts';
import type { Instant } from '../../domain/ids.ts';
import { eventIn, storedTypes } from '../../domain/renamed-events.ts';
import {
  type EventQuery,
  type Head,
  NO_HEAD,
  type Page,
  type SealedEvent,
} from '../../ports/store.ts';
import type { Dialect, RunQuery, Value } from './dialect.ts';
import { SCAN } from './task-page.ts';

type RecordedCells = readonly [
  seq: number,
  at: number,
  actor: string,
  cause: string,
  body: string | null,
];
type SealedCells = readonly [...RecordedCells, type: string, hash: string, link: string | null];

const RECORDED = 'event.seq, event.at, event.actor, event.cause, event.body';

export async function headOfLog(runQuery: RunQuery): Promise<Head> {
  const sql = 'SELECT seq, link FROM event ORDER BY seq DESC LIMIT 1';
  const [last] = await runQuery<readonly [number, string | null]>(sql, []);
  return last ? { seq: last[0], link: last[1] ?? '' } : NO_HEAD;
}

export async function sealedEvents(runQuery: RunQuery, after: number, limit: number) {
  const sql = `SELECT ${RECORDED}, type, hash, link FROM event WHERE seq > ? ORDER BY seq LIMIT ?`;
  const cells = await runQuery<SealedCells>(sql, [after, Math.min(limit, SCAN)]);
  return cells.map(
    ([seq, at, actor, cause, body, type, hash, link]): SealedEvent => ({
      seq,
      at,
      actor,
      cause,
      type,
      body,
      hash,
      link,
    }),
  );
}

/**
 * Binary search for the place where the log passes the instant. If the clock only ran forward, that is
 * the last event at or before it, found without an index over all events.
 */
export async function seqAt(runQuery: RunQuery, at: Instant): Promise<number> {
  const sql = `WITH RECURSIVE half (low, high) AS (
      SELECT CAST(0 AS bigint), (SELECT coalesce(max(seq), 0) FROM event)
      UNION ALL
      SELECT CASE WHEN event.at <= ? THEN event.seq ELSE half.low END,
             CASE WHEN event.at <= ? THEN half.high ELSE event.seq - 1 END
      FROM half JOIN event ON event.seq = (half.low + half.high + 1) / 2
      WHERE half.low < half.high
    ) SELECT low FROM half WHERE low >= high LIMIT 1`;
  const [found] = await runQuery<readonly [number]>(sql, [at, at]);
  return found?.[0] ?? 0;
}

/**
 * Events are numbered without gaps, so a page scans a bounded range of numbers. The few events of one
 * task are found by its index, whatever their number.
 */
export async function eventPage(
  dialect: Dialect,
  runQuery: RunQuery,
  query: EventQuery,
): Promise<Page<Recorded>> {
  const limit = Math.min(query.limit, SCAN);
  const { after, before, more } = await stretch(runQuery, query);
  const filters = filtersFor(dialect, query);
  const ofTask = `${dialect.eventsOfTask} AS own JOIN event ON event.seq = own.seq`;
  const [from, by] = query.task === undefined ? ['event', 'event.seq'] : [ofTask, 'own.seq'];
  const sql = `SELECT ${RECORDED} FROM ${from} WHERE ${by} > ? AND ${by} < ?
    ${filters.map(({ where }) => `AND ${where}`).join(' ')}
    ORDER BY ${by} ${query.newestFirst ? 'DESC' : 'ASC'} LIMIT ?`;
  const values = [after, before, ...filters.flatMap((filter) => filter.values), limit + 1];
  const cells = await runQuery<RecordedCells>(sql, values);
  const rows = cells.slice(0, limit);
  return {
    rows: rows.flatMap(recordedFrom),
    next: cells.length > limit ? rows.at(-1)?.[0] : more,
  };
}

interface Stretch {
  readonly after: number;
  readonly before: number;
  /** Where the next page starts if this one scanned its whole range. */
  readonly more: number | undefined;
}

async function stretch(runQuery: RunQuery, query: EventQuery): Promise<Stretch> {
  const after = query.after ?? 0;
  const before = query.before ?? Number.MAX_SAFE_INTEGER;
  if (query.task !== undefined) return { after, before, more: undefined };
  const end = Math.min(before, (await headOfLog(runQuery)).seq + 1);
  if (end - after <= SCAN + 1) return { after, before: end, more: undefined };
  if (query.newestFirst) {
    const from = end - SCAN - 1;
    return { after: from, before: end, more: from + 1 };
  }
  const to = after + SCAN + 1;
  return { after, before: to, more: to - 1 };
}

function filtersFor(dialect: Dialect, { project, task, types }: EventQuery) {
  const filters: { where: string; values: Value[] }[] = [];
  if (task !== undefined) filters.push({ where: 'own.task = ?', values: [task] });
  if (project !== undefined) filters.push({ where: 'event.project = ?', values: [project] });
  if (types !== undefined) {
    const stored = dialect.list(storedTypes(types));
    filters.push({ where: dialect.among('event.type'), values: [stored] });
  }
  return filters;
}

/** An event whose text was erased stays in the sealed log but is not returned here. */
function recordedFrom([seq, at, actor, cause, body]: RecordedCells): readonly Recorded[] {
  if (body === null) return [];
  return [{ seq, at, actor, cause, event: eventIn(body) }];
}
