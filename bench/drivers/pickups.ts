import { setTimeout as pause } from 'node:timers/promises';

/** Reports when a worker has the task that was added last. */
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
 * Milliseconds from adding a task until an idle worker has it, one after another. The pause before each has a
 * random length, so that it does not align with a timer of the queue.
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
