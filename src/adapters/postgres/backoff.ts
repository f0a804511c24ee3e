import type { Duration } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';

const FIRST: Duration = 20;
const LONGEST: Duration = 2_000;

/**
 * The delay doubles with each try, and half of it is random, so the nodes of a hall do not all reconnect
 * at once to a server that has just come back.
 */
export function delayBefore(attempt: number, random: () => number): Duration {
  const most = Math.min(LONGEST, FIRST * 2 ** Math.min(attempt, 20));
  return most / 2 + (most / 2) * random();
}

export function pause(clock: Clock, delay: Duration): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay, resolve);
  });
}
