import type { Clock } from '../../src/ports/clock.ts';

/** A clock that moves only when it is told to. */
export interface ManualClock extends Clock {
  pass(milliseconds: number): void;
  /** Moves the wall clock alone, as an operator or a time server does. */
  jump(milliseconds: number): void;
}

export function createManualClock(start = 1_700_000_000_000): ManualClock {
  let wall = start;
  let monotonic = 0;
  const timers = new Set<{ at: number; call: () => void }>();
  return {
    now: () => wall,
    monotonic: () => monotonic,
    yieldToEventLoop: async () => undefined,
    after(delay, call) {
      const timer = { at: monotonic + delay, call };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    pass(milliseconds) {
      wall += milliseconds;
      monotonic += milliseconds;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at > monotonic || !timers.delete(timer)) continue;
        timer.call();
      }
    },
    jump(milliseconds) {
      wall += milliseconds;
    },
  };
}
