/**
 * Limits callers that this node does not know but the leader may. Their bodies are held in memory
 * before any token check, so only a few may run at a time.
 */
export class Semaphore {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns undefined when too many are running already. */
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
