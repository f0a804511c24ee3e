import { type Board, noWakeups, type Wakeups } from '../domain/board.ts';
import { creditRule, workerRule } from '../domain/claim-rules.ts';
import { type Claimed, claim, type Waiting } from '../domain/claiming.ts';
import { nameOf, type WorkerId } from '../domain/ids.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Worker } from '../domain/worker.ts';
import type { Meta } from './command.ts';
import type { Group } from './commit-group.ts';

export interface Waiter {
  readonly worker: WorkerId;
  readonly instance: string;
  readonly meta: Meta;
  readonly settle: (claimed: Claimed | Refusal) => void;
  readonly fail: (fault: Error) => void;
}

/** Workers with an open long poll. The group that frees a task hands it to one of them. */
export class Waiters implements Waiting {
  readonly #board: Board;
  readonly #waiting = new Map<string, Set<Waiter>>();
  #matched: { readonly waiter: Waiter; readonly claimed: Claimed | Refusal }[] = [];
  /** The waiters that joined in the group that is still open. */
  #joined: Waiter[] = [];

  constructor(board: Board) {
    this.#board = board;
  }

  get size(): number {
    let size = 0;
    for (const waiters of this.#waiting.values()) size += waiters.size;
    return size;
  }

  add(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.instance) ?? new Set();
    this.#waiting.set(waiter.instance, waiters.add(waiter));
    this.#joined.push(waiter);
  }

  remove(waiter: Waiter): boolean {
    const waiters = this.#waiting.get(waiter.instance);
    const removed = waiters?.delete(waiter) ?? false;
    if (waiters?.size === 0) this.#waiting.delete(waiter.instance);
    return removed;
  }

  includes(worker: WorkerId): boolean {
    const instance = this.#board.workers.get(worker)?.instance ?? '';
    for (const waiter of this.#waiting.get(instance) ?? [])
      if (waiter.worker === worker) return true;
    return false;
  }

  waits(instance: string, project: string): boolean {
    for (const { worker: id } of this.#waiting.get(instance) ?? []) {
      const worker = this.#board.workers.get(id);
      if (!worker || worker.draining || this.#board.runOf.has(id)) continue;
      if (worker.projects && !worker.projects.includes(project)) continue;
      if (!isRefusal(creditRule(this.#board, project, worker))) return true;
    }
    return false;
  }

  /**
   * Hands the tasks that became claimable in this group to waiting workers. A specialist that gets
   * one is busy, so the workers it was preferred to are considered again.
   */
  match(group: Group): void {
    const wakeups = this.#board.wakeups;
    this.#board.wakeups = noWakeups();
    if (!hasWakeups(wakeups)) return;
    if (wakeups.all) this.#sendAway();
    let served = 0;
    do {
      served = 0;
      for (const [instance, waiters] of this.#waiting) {
        if (concerns(wakeups, instance)) served += this.#serve(group, waiters);
      }
    } while (served > 0 && this.#board.requestedLabels.size > 0);
  }

  /** Answers every open poll of the worker, because it may listen to only one of them. */
  give(worker: Worker, claimed: Claimed): void {
    for (const waiter of this.#waiting.get(worker.instance) ?? []) {
      if (waiter.worker === worker.id) this.#matched.push({ waiter, claimed });
    }
  }

  /** The group is on disk: answers the workers that got a task. */
  commit(): void {
    const matched = this.#matched;
    this.#matched = [];
    this.#joined = [];
    for (const { waiter, claimed } of matched) {
      if (this.remove(waiter)) waiter.settle(claimed);
    }
  }

  /** The group failed: matched workers keep waiting, and those that joined in it are removed. */
  rollback(): void {
    this.#matched = [];
    for (const waiter of this.#joined) this.remove(waiter);
    this.#joined = [];
  }

  /** Fails the polls to which the group in progress gives no task. */
  failUnmatched(fault: Error): void {
    const matched = new Set(this.#matched.map(({ waiter }) => waiter));
    for (const waiter of [...this.#waiting.values()].flatMap((waiters) => [...waiters])) {
      if (!matched.has(waiter) && this.remove(waiter)) waiter.fail(fault);
    }
  }

  failAll(fault: Error): void {
    const all = [...this.#waiting.values()].flatMap((waiters) => [...waiters]);
    this.#waiting.clear();
    this.#matched = [];
    for (const waiter of all) waiter.fail(fault);
  }

  /** A draining or dismissed worker would wait in vain. */
  #sendAway(): void {
    for (const waiters of this.#waiting.values()) {
      for (const waiter of waiters) {
        const worker = this.#board.workers.get(waiter.worker);
        const refusal = worker ? workerRule(worker) : dismissed(waiter);
        if (refusal) this.#matched.push({ waiter, claimed: refusal });
      }
    }
  }

  /** Workers of one instance and scope are alike: if one finds nothing, neither do the others. */
  #serve(group: Group, waiters: ReadonlySet<Waiter>): number {
    const barren = new Set<string>();
    let served = 0;
    for (const waiter of waiters) {
      const worker = this.#board.workers.get(waiter.worker);
      if (!worker || this.#board.runOf.has(worker.id)) continue;
      const kind = kindOf(worker);
      if (barren.has(kind)) continue;
      const { events, answer } = claim(this.#board, worker, this);
      if (isRefusal(answer)) {
        barren.add(kind);
        continue;
      }
      group.apply(events, waiter.meta);
      this.give(worker, answer);
      served += 1;
    }
    return served;
  }
}

function dismissed({ worker }: Waiter): Refusal {
  return refuse('unknown_worker', `${nameOf('worker', worker)} is no longer registered`);
}

function hasWakeups({ all, projects, instances }: Wakeups): boolean {
  return all || projects.size > 0 || instances.size > 0;
}

function concerns({ all, projects, instances }: Wakeups, instance: string): boolean {
  return all || projects.size > 0 || instances.has(instance);
}

function kindOf({ projects, bringsModel, draining }: Worker): string {
  return `${bringsModel} ${draining} ${projects === null ? '*' : projects.join('\n')}`;
}
