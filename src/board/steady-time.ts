import type { Instant } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * The time it would be had nobody set the wall clock since the start. What is kept for a day by it
 * is kept for a day: by the wall clock a jump of a week would forget the answers of a minute ago, and
 * a repeated request would be done twice.
 */
export function steadyTime(clock: Clock): () => Instant {
  const ahead = clock.now() - clock.monotonic();
  return () => Math.round(clock.monotonic() + ahead);
}
