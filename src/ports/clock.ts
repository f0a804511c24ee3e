import type { Duration, Instant } from '../domain/ids.ts';

/** The only source of time for code that waits or measures, so tests can control it. */
export interface Clock {
  /** The wall clock: for display, schedules and windows. It may jump. */
  now(): Instant;
  /** Milliseconds that never run backwards, for leases and limits. */
  monotonic(): Duration;
  /**
   * Lets the process read requests that have already arrived. A commit blocks the process, so without
   * this every group would hold one request.
   */
  yieldToEventLoop(): Promise<void>;
  /** Calls `call` once, unless cancelled. */
  after(delay: Duration, call: () => void): { cancel(): void };
}
