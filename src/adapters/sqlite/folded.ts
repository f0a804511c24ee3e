const KEY = 'folded';

/** Says up to which event the tables are folded, in the transaction that writes their rows. */
export const MARK_FOLDED = `INSERT INTO meta (key, value) VALUES ('${KEY}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

export const FOLDED = `SELECT value FROM meta WHERE key = '${KEY}'`;
