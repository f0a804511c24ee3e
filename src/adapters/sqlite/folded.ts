const KEY = 'folded';

/** Says up to which event the tables are folded, in the transaction that writes their rows. */
export const MARK_FOLDED = `INSERT INTO meta (key, value) VALUES ('${KEY}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** To be run before the mark moves, with the event that it will move to. */
export const FIND_BY_TASK = `INSERT INTO event_of_task (task, seq)
  SELECT task, seq FROM event
  WHERE seq > coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = '${KEY}'), 0)
    AND seq <= ? AND task IS NOT NULL`;

export const FOLDED = `SELECT value FROM meta WHERE key = '${KEY}'`;
