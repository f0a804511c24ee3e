/** How long a suite may take before it counts as hanging. */
export interface Patience {
  /** The minimum time without progress, or of CPU time, before a suite is ended, in seconds. */
  readonly leastSeconds: number;
  /** How long a suite may take to exit after its last test; then it has left a handle open. */
  readonly exitSeconds: number;
  /** How often the watchdog checks. */
  readonly everyMs: number;
}

/** A suite at one moment. */
export interface Look {
  readonly atMs: number;
  readonly cpuSeconds: number;
  /** How many messages the suite has sent. */
  readonly heard: number;
  readonly isOver: boolean;
  /** Runnable processes per core. */
  readonly loadPerCore: number;
  /** What it is doing, for the message. */
  readonly at: string;
}

export const PATIENCE: Patience = { leastSeconds: 120, exitSeconds: 120, everyMs: 2_000 };

const TIMES_USUAL = 10;
/** For an unmeasured suite. */
const UNKNOWN = 180;

/**
 * Ends a suite that made no progress for ten times its usual CPU time, or used that much. Its clock runs slower
 * on a busy machine: with five processes per core a second counts as a fifth. Time between two late checks does
 * not count, so the machine may be slow or asleep.
 */
export class Watchdog {
  readonly #patience: Patience;
  readonly #allowed: number;
  #last: Look | undefined;
  #stillSeconds = 0;

  constructor(usualSeconds: number = UNKNOWN, patience: Patience = PATIENCE) {
    this.#patience = patience;
    this.#allowed = Math.max(patience.leastSeconds, TIMES_USUAL * usualSeconds);
  }

  /** Why the suite must be ended now, or undefined. */
  objection(look: Look): string | undefined {
    this.#count(look);
    const { exitSeconds } = this.#patience;
    const still = this.#stillSeconds;
    if (look.isOver) {
      if (still < exitSeconds) return undefined;
      return `did not exit within ${exitSeconds} s of its last test: a handle is still open`;
    }
    if (look.cpuSeconds > this.#allowed) {
      return `used ${look.cpuSeconds.toFixed(1)} s of CPU time, more than its limit of ${this.#allowed} s, ${look.at}`;
    }
    if (still < this.#allowed) return undefined;
    return `hangs: no progress for ${this.#allowed} s (adjusted for load), ${look.at}`;
  }

  #count(look: Look): void {
    const last = this.#last;
    this.#last = look;
    if (last === undefined || look.heard > last.heard) {
      this.#stillSeconds = 0;
      return;
    }
    const passed = Math.min(look.atMs - last.atMs, 2 * this.#patience.everyMs) / 1000;
    this.#stillSeconds += passed / Math.max(1, look.loadPerCore);
  }
}
