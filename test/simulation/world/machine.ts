import type { Step } from './schedule-queue.ts';

/**
 * Something that can die or be stopped: a hall node, a worker, an operator, the disk. When it dies
 * its promises never settle; while it is stopped time goes on without it.
 */
export class Machine {
  readonly name: string;
  isAlive = true;
  isStopped = false;
  /** How often it was stopped so far. */
  stops = 0;
  #held: Step[] = [];
  #stoppedAt = 0;
  #stoppedFor = 0;

  constructor(name: string) {
    this.name = name;
  }

  kill(): void {
    this.isAlive = false;
    this.#held = [];
  }

  stop(now: number): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.stops += 1;
    this.#stoppedAt = now;
  }

  /** Timers that became due while it was stopped. */
  resume(now: number): readonly Step[] {
    const held = this.#held;
    if (this.isStopped) this.#stoppedFor += now - this.#stoppedAt;
    this.isStopped = false;
    this.#held = [];
    return held;
  }

  /** Virtual time in which it was not stopped. */
  awake(now: number): number {
    const stopped = this.isStopped ? now - this.#stoppedAt : 0;
    return now - this.#stoppedFor - stopped;
  }

  keep(step: Step): void {
    this.#held.push(step);
  }
}
