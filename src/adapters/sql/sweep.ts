/** How many rows one statement forgets, so that the writer is never kept waiting for long. */
const HANDFUL = 1_000;

/** Each is run with its values until it forgets nothing more. */
export const FORGET_RESPONSES = `DELETE FROM idempotency_key WHERE key IN
  (SELECT key FROM idempotency_key WHERE at < ? LIMIT ${HANDFUL})`;

/**
 * Runs are numbered by the event that claimed them, so only those claimed before the instant can
 * have said something before it: with the last event before it as the bound no index over time is
 * needed. Values: that event, the instant.
 */
export const FORGET_LOG = `DELETE FROM run_log WHERE (run, n) IN
  (SELECT run, n FROM run_log WHERE run <= ? AND at < ? LIMIT ${HANDFUL})`;

/** The key of a decision begins with its time. Value: a key of that time. */
export const FORGET_DECISIONS = `DELETE FROM tool_decision WHERE id IN
  (SELECT id FROM tool_decision WHERE id < ? LIMIT ${HANDFUL})`;

/** A worker nobody heard of for as long as the log is kept. */
export const FORGET_HEARTBEATS = `DELETE FROM heartbeat WHERE worker IN
  (SELECT worker FROM heartbeat WHERE last_seen < ? LIMIT ${HANDFUL})`;
