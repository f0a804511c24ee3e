const KEY = 'folded';

/** Records up to which event the tables are folded, in the transaction that writes their rows. */
export const MARK_FOLDED = `INSERT INTO meta (key, value) VALUES ('${KEY}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** Run before the mark moves, with the event that it will move to. */
export const FIND_BY_TASK = `INSERT INTO event_of_task (task, seq)
  SELECT task, seq FROM event
  WHERE seq > coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = '${KEY}'), 0)
    AND seq <= ? AND task IS NOT NULL
  ON CONFLICT (task, seq) DO NOTHING`;

/**
 * Finds a row only if the tables have gone past the mark. CROSS JOIN keeps SQLite from starting with
 * the larger table: https://sqlite.org/optoverview.html#crossjoin
 */
export const FOLDED_PAST = `SELECT 1 FROM event CROSS JOIN event_of_task AS found
    ON found.task = event.task AND found.seq = event.seq
  WHERE event.seq > ?
  UNION ALL SELECT 1 FROM worker WHERE id > ?
  LIMIT 1`;

export const FOLDED = `SELECT value FROM meta WHERE key = '${KEY}'`;

/** What is wrong with the mark, as text; undefined when it fits the log. */
export function faultInMark(mark: string | undefined, end: number): string | undefined {
  if (mark !== undefined && !/^\d{1,15}$/.test(mark)) {
    return 'its fold mark is not a number';
  }
  if (Number(mark ?? 0) <= end) return undefined;
  return `its tables are folded up to event ${mark}, but the log ends at event ${end}: the end of the log is missing`;
}
