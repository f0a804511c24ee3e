import type { Instant } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * The time as if the wall clock had not been set since the start, so an answer kept for a day is
 * kept for a day. By the wall clock, a jump of a week would delete answers from a minute ago, and a
 * repeated request would be carried out twice.
 */
export function steadyTime(clock: Clock): () => Instant {
  const ahead = clock.now() - clock.monotonic();
  return () => Math.round(clock.monotonic() + ahead);
}
