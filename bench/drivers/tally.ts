import type { Ended, Sample } from './driver.ts';

/** Counts completed tasks, and notices those that were handed out twice. */
export class Tally {
  readonly #seen = new Set<string | number>();
  #done = 0;
  #twice = 0;
  #failed = 0;

  claimed(id: string | number): void {
    if (this.#seen.has(id)) this.#twice += 1;
    this.#seen.add(id);
  }

  completed(): void {
    this.#done += 1;
  }

  failed(): void {
    this.#failed += 1;
  }

  sample(): Sample {
    return { done: this.#done, at: performance.now() };
  }

  ended(): Ended {
    return { done: this.#done, twice: this.#twice, failed: this.#failed };
  }
}

/** Runs several instances of a loop until it is stopped. */
export class Loops {
  #going = true;
  readonly #all: Promise<unknown>;

  constructor(count: number, step: (n: number) => Promise<void>) {
    const loop = async (n: number) => {
      while (this.#going) await step(n);
    };
    this.#all = Promise.all(Array.from({ length: count }, (_, n) => loop(n)));
    // The caller of `end` gets the fault.
    this.#all.catch(() => this.cease());
  }

  cease(): void {
    this.#going = false;
  }

  async end(): Promise<void> {
    this.cease();
    await this.#all;
  }
}

/** Does something a number of times, several at once, and returns how long it took. */
export async function timed(
  count: number,
  clients: number,
  step: (n: number, client: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const from = performance.now();
  const client = async (own: number) => {
    for (let n = next++; n < count; n = next++) await step(n, own);
  };
  await Promise.all(Array.from({ length: clients }, (_, own) => client(own)));
  return performance.now() - from;
}
