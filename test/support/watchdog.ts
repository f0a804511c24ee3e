/** How long a suite may take before it counts as hanging. */
export interface Patience {
  /** No suite is ended before it was still for so long, or has used so much, in seconds. */
  readonly leastSeconds: number;
  /** A suite whose tests are all over has something open if it does not end by itself. */
  readonly exitSeconds: number;
  /** How often it is looked at. */
  readonly everyMs: number;
}

/** A suite at one moment. */
export interface Look {
  readonly atMs: number;
  readonly cpuSeconds: number;
  /** How many messages the suite has sent. */
  readonly heard: number;
  readonly isOver: boolean;
  /** Processes that want a processor, for each processor there is. */
  readonly loadPerCore: number;
  /** What it does, for the message. */
  readonly at: string;
}

export const PATIENCE: Patience = { leastSeconds: 120, exitSeconds: 120, everyMs: 2_000 };

const TIMES_USUAL = 10;
/** For a suite that was never measured. */
const UNKNOWN = 180;

/**
 * Ends a suite that was still for ten times its usual processor time, or has used that much. Its clock runs
 * slower on a busy machine: with five processes for each core a second counts as a fifth, and time
 * in which nothing was looked at does not count, so that a machine may be slow or asleep.
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

  /** Why the suite is to be ended now, or undefined. */
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
