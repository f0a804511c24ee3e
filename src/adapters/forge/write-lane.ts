/** Forges block accounts that write faster. */
export const MAX_PER_MINUTE = 60;
const MINUTE = 60_000;

/** Writes one after another, and no more in a minute than forges tolerate. */
export class WriteLane {
  readonly #now: () => number;
  readonly #times: number[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(now: () => number) {
    this.#now = now;
  }

  run<T>(write: () => Promise<T>): Promise<T> {
    const next = this.#last.then(() => this.#turn()).then(write);
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** Writes in the last minute. */
  recent(): number {
    const now = this.#now();
    while (this.#times[0] !== undefined && now - this.#times[0] >= MINUTE) this.#times.shift();
    return this.#times.length;
  }

  async #turn(): Promise<void> {
    const now = this.#now();
    const isFull = this.recent() >= MAX_PER_MINUTE;
    const first = this.#times[0];
    if (first !== undefined && isFull) {
      await new Promise((resolve) => setTimeout(resolve, MINUTE - (now - first)));
      this.#times.shift();
    }
    this.#times.push(this.#now());
  }
}
