import type { Machine } from './machine.ts';

export interface Step {
  /** The earliest virtual time at which it may happen. */
  readonly at: number;
  readonly order: number;
  readonly machine: Machine;
  readonly label: string;
  readonly run: () => void;
  /** True once it was called off. */
  isOff: boolean;
}

/** Steps that are not ready yet, earliest first; a binary heap. */
export class ScheduleQueue {
  readonly #heap: Step[] = [];

  get next(): number | undefined {
    return this.#heap[0]?.at;
  }

  add(step: Step): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(step);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above] as Step;
      if (isBefore(other, step)) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = step;
  }

  take(): Step | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first && last && first !== last) this.#sink(last);
    return first;
  }

  #sink(step: Step): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      const right = below + 1;
      if (right < heap.length && isBefore(heap[right] as Step, heap[below] as Step)) below = right;
      const other = heap[below] as Step;
      if (isBefore(step, other)) break;
      heap[at] = other;
      at = below;
    }
    heap[at] = step;
  }
}

function isBefore(a: Step, b: Step): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
