/**
 * Callers whom this node does not know and the leader may. What they send is held in memory before
 * anybody has looked at their token, so there are only a few of them at a time.
 */
export class Semaphore {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Undefined when there are too many already. */
  async tryRun<T>(act: () => Promise<T>): Promise<T | undefined> {
    if (this.#count >= this.#most) return undefined;
    this.#count += 1;
    try {
      return await act();
    } finally {
      this.#count -= 1;
    }
  }
}
