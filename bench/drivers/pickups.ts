import { setTimeout as pause } from 'node:timers/promises';

/** Tells when a worker was handed the task that was put in last. */
export class Arrivals {
  #arrived: (at: number) => void = () => undefined;

  next(): Promise<number> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  now(): void {
    this.#arrived(performance.now());
  }
}

/**
 * Milliseconds from the call that puts a task in until an idle worker has it, one after another.
 * The pause before each is of random length, so that no timer of a queue falls in step with it.
 */
export async function measurePickups(
  samples: number,
  arrivals: Arrivals,
  put: (n: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let n = 0; n < samples; n += 1) {
    await pause(5 + Math.random() * 10);
    const arrived = arrivals.next();
    const from = performance.now();
    const [at] = await Promise.all([arrived, put(n)]);
    taken.push(at - from);
  }
  return taken;
}
