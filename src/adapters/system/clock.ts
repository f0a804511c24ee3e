import { performance } from 'node:perf_hooks';
import type { Clock } from '../../ports/clock.ts';

export function createClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
    after(delay, call) {
      const timer = setTimeout(call, Math.min(delay, LONGEST_TIMER));
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

/** A longer delay makes Node fire the timer at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
