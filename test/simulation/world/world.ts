import type { Machine } from './machine.ts';
import { Random } from './random.ts';
import { ScheduleQueue, type Step } from './schedule-queue.ts';
import type { Trace } from './trace.ts';

/**
 * Virtual time and everything that can happen next. A step is one call of a port, one timer or one
 * message; of the steps that are ready the seed picks one, and time moves on only when none is.
 */
export class World {
  readonly random: Random;
  readonly trace: Trace;
  /** Milliseconds of virtual time, the same for all machines. */
  now = 0;
  steps = 0;
  readonly #ready: Step[] = [];
  readonly #later = new ScheduleQueue();
  #planned = 0;
  #violation: string | undefined;

  constructor(seed: number, trace: Trace) {
    this.random = new Random(seed);
    this.trace = trace;
  }

  /** The first violation; later ones may only follow from it. */
  get violation(): string | undefined {
    return this.#violation;
  }

  fail(because: string): void {
    this.#violation ??= `${because} (step ${this.steps}, at ${this.now} ms)`;
  }

  plan(machine: Machine, label: string, delay: number, run: () => void): Step {
    this.#planned += 1;
    const step = { at: this.now + delay, order: this.#planned, machine, label, run, isOff: false };
    if (delay > 0) this.#later.add(step);
    else this.#ready.push(step);
    return step;
  }

  /** Resolves after a while of virtual time, if the machine is still there. */
  sleep(machine: Machine, label: string, delay: number): Promise<void> {
    return new Promise((resolve) => void this.plan(machine, label, delay, resolve));
  }

  /** Does one step. False when no step is left. */
  step(): boolean {
    for (;;) {
      if (this.#ready.length === 0 && !this.#moveOn()) return false;
      const step = this.#take();
      if (!step) continue;
      this.steps += 1;
      this.trace.add(this.now, step.machine.name, step.label);
      step.run();
      return true;
    }
  }

  resume(machine: Machine): void {
    this.#ready.push(...machine.resume(this.now));
  }

  #take(): Step | undefined {
    const at = this.#ready.length === 1 ? 0 : this.random.below(this.#ready.length);
    const step = this.#ready[at] as Step;
    const last = this.#ready.pop() as Step;
    if (last !== step) this.#ready[at] = last;
    if (step.isOff || !step.machine.isAlive) return undefined;
    if (!step.machine.isStopped) return step;
    step.machine.keep(step);
    return undefined;
  }

  #moveOn(): boolean {
    const first = this.#later.take();
    if (!first) return false;
    this.now = first.at;
    this.#ready.push(first);
    while (this.#later.next === this.now) this.#ready.push(this.#later.take() as Step);
    return true;
  }
}
