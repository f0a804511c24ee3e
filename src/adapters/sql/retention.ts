/** Rows that one statement deletes, so that the writer never waits for long. */
const HANDFUL = 1_000;

/** Run each with its values until it deletes nothing. */
export const FORGET_RESPONSES = `DELETE FROM idempotency_key WHERE key IN
  (SELECT key FROM idempotency_key WHERE at < ? LIMIT ${HANDFUL})`;

/**
 * Runs are numbered by the event that claimed them, so only runs claimed before the instant can have
 * earlier entries: bounding by the last event before it needs no index over time. Values: that event,
 * the instant.
 */
export const FORGET_LOG = `DELETE FROM run_log WHERE (run, n) IN
  (SELECT run, n FROM run_log WHERE run <= ? AND at < ? LIMIT ${HANDFUL})`;

/** The key of a decision begins with its time. Value: a key of that time. */
export const FORGET_DECISIONS = `DELETE FROM tool_decision WHERE id IN
  (SELECT id FROM tool_decision WHERE id < ? LIMIT ${HANDFUL})`;

/** Workers not seen for as long as the log is kept. */
export const FORGET_HEARTBEATS = `DELETE FROM heartbeat WHERE worker IN
  (SELECT worker FROM heartbeat WHERE last_seen < ? LIMIT ${HANDFUL})`;
