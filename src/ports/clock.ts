import type { Duration, Instant } from '../domain/ids.ts';

/** Time, as the hall sees it. Everything that waits or measures asks here, so that time can be turned by hand. */
export interface Clock {
  /** The wall clock: for display, schedules and windows. It may jump. */
  now(): Instant;
  /** Milliseconds that never run backwards, for leases and limits. */
  monotonic(): Duration;
  /**
   * Lets what has already arrived be taken in first. A commit blocks the process, so without this
   * every request would be alone in its group.
   */
  yieldToEventLoop(): Promise<void>;
  /** Calls back once, unless cancelled. */
  after(delay: Duration, call: () => void): { cancel(): void };
}
