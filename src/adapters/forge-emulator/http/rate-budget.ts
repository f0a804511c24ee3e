/** How many requests may still be made before the window ends. */
export interface RateBudget {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in seconds since 1970. */
  readonly resetAt: number;
  /** False when there is nothing left; then nothing is taken. */
  take(): boolean;
  /** Gives a request back that turned out to cost nothing. */
  giveBack(): void;
  /** Sets what is left in this window. */
  leave(remaining: number): void;
}

const HOUR = 3_600_000;

export function createRateBudget(limit: number, now: () => number): RateBudget {
  let used = 0;
  let endsAt = now() + HOUR;
  const turnOver = () => {
    if (now() < endsAt) return;
    used = 0;
    endsAt = now() + HOUR;
  };
  return {
    limit,
    get remaining() {
      turnOver();
      return Math.max(limit - used, 0);
    },
    get resetAt() {
      return Math.ceil(endsAt / 1_000);
    },
    take() {
      turnOver();
      if (used >= limit) return false;
      used += 1;
      return true;
    },
    giveBack() {
      used = Math.max(used - 1, 0);
    },
    leave(remaining) {
      used = limit - remaining;
    },
  };
}
