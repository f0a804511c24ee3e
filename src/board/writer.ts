import type { Board } from '../domain/board.ts';
import { type Claimed, claim } from '../domain/claiming.ts';
import { refuseWith } from '../domain/decision.ts';
import type { Recorded } from '../domain/event.ts';
import { type Duration, type Instant, nameOf, type WorkerId } from '../domain/ids.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import {
  GroupRefused,
  type Head,
  type Heartbeat,
  type Keys,
  type Recalled,
  type Store,
  StoreFull,
  StoreUnavailable,
} from '../ports/store.ts';
import type { Change, Command, Meta, Outcome } from './command.ts';
import { Group } from './commit-group.ts';
import { steadyTime } from './steady-time.ts';
import { type Waiter, Waiters } from './waiters.ts';

interface Needs {
  readonly store: Pick<Store, 'append' | 'recall'>;
  readonly clock: Clock;
  readonly board: Board;
  readonly head: Head;
  readonly epoch: number;
  /**
   * True while no other node can be leading. Otherwise even an answer that changes nothing waits for
   * a commit: a leader that slept would refuse based on stale memory.
   */
  readonly isAssured: () => boolean;
  /** Heartbeats to store with the next commit. */
  readonly savedHeartbeats: () => readonly Heartbeat[];
  /** Called with the events of each commit, in order, after it is on disk. */
  readonly committed: (events: readonly Recorded[]) => void;
  /** Called once, when the store failed or another writer took over: this writer writes no more. */
  readonly lost: (fault: Error) => void;
}

interface ClaimRequest {
  readonly meta: Meta;
  readonly worker: WorkerId;
  readonly wait: Duration;
}

export interface PendingClaim {
  readonly claimed: Promise<Claimed | Refusal>;
  /** The client disconnected. */
  cancel(): void;
}

const MAX_EVENTS = 4_096;
const MAX_GATHERED = 1_024;

/**
 * Makes all changes to the board. Commands that arrive during a commit share the next one; the
 * writer decides nothing while a commit is in progress and answers nothing before its commit.
 */
export class Writer {
  readonly board: Board;
  readonly waiters: Waiters;
  readonly #needs: Needs;
  readonly #steady: () => Instant;
  #head: Head;
  #queue: Command[] = [];
  #running = false;
  #since: Duration | undefined;
  #fault: Error | undefined;
  #interruptRead: ((fault: Error) => void) | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.board = needs.board;
    this.#head = needs.head;
    this.#steady = steadyTime(needs.clock);
    this.waiters = new Waiters(needs.board);
  }

  get head(): Head {
    return this.#head;
  }

  /** How long the commit in progress has been waiting for the store. */
  get stalledFor(): Duration {
    return this.#since === undefined ? 0 : this.#needs.clock.monotonic() - this.#since;
  }

  /** Decides, saves, and then answers. */
  change<A>(change: Change<A>): Promise<Outcome<A>> {
    return new Promise((settle, fail) => {
      this.#submit({
        change: change as Change<unknown>,
        settle: settle as (outcome: Outcome<unknown>) => void,
        fail,
      });
    });
  }

  /** Claims the next task for a worker; if there is none, waits up to the requested time. */
  claim(request: ClaimRequest): PendingClaim {
    const { command, pending } = this.#claimCommand(request);
    this.#submit(command);
    return pending;
  }

  /** Makes a change and, unless it is refused, claims the next task in the same commit. */
  changeThenClaim<A>(
    change: Change<A>,
    request: ClaimRequest,
  ): { readonly changed: Promise<Outcome<A>>; readonly next: () => PendingClaim | undefined } {
    let next: PendingClaim | undefined;
    const changed = new Promise<Outcome<A>>((settle, fail) => {
      this.#submit({
        change: change as Change<unknown>,
        settle: settle as (outcome: Outcome<unknown>) => void,
        fail,
        follow: (outcome) => {
          if (isRefusal(outcome)) return undefined;
          const { command, pending } = this.#claimCommand(request);
          next = pending;
          return command;
        },
      });
    });
    return { changed, next: () => next };
  }

  /** Resolves when everything submitted so far has been answered. */
  async idle(): Promise<void> {
    if (this.#running) await this.change(NOTHING).catch(() => undefined);
  }

  #submit(command: Command): void {
    if (this.#fault) {
      command.fail(this.#fault);
      return;
    }
    this.#queue.push(command);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0 && !this.#fault) {
      await this.#gather();
      const commands = this.#queue;
      this.#queue = [];
      this.#since = this.#needs.clock.monotonic();
      await this.#commit(commands);
    }
    this.#since = undefined;
    this.#running = false;
  }

  /**
   * Workers that were answered together ask again one after the other. The commit waits as long as
   * each turn of the event loop brings more of them, so they share it again: without this, a commit
   * with 16 workers held 4.
   */
  async #gather(): Promise<void> {
    let before = 0;
    while (this.#queue.length > before && before < MAX_GATHERED) {
      before = this.#queue.length;
      await this.#needs.clock.yieldToEventLoop();
    }
  }

  async #commit(commands: readonly Command[]): Promise<void> {
    let at = 0;
    while (at < commands.length) {
      const rest = commands.slice(at);
      if (this.#fault) return this.#failAll(rest, this.#fault);
      try {
        at += await this.#commitSome(rest);
      } catch (fault) {
        const mayPassAlone = fault instanceof GroupRefused || fault instanceof StoreFull;
        if (!mayPassAlone || rest.length === 1) {
          at += this.#failSome(rest, fault as Error);
          continue;
        }
        for (const command of rest) await this.#commit([command]);
        return;
      }
    }
  }

  /** Commits as many of the commands as fit into one group, and returns their number. */
  async #commitSome(commands: readonly Command[]): Promise<number> {
    const { store, clock, board, epoch } = this.#needs;
    const recalled = await this.#recall(commands);
    const group = new Group(board, recalled, { at: clock.now(), steady: this.#steady() });
    let count = 0;
    try {
      count = this.#decide(group, commands);
      if (!group.isEmpty || !this.#needs.isAssured()) {
        this.#head = await store.append(
          group.stored(this.#head, epoch, this.#needs.savedHeartbeats()),
        );
      }
    } catch (fault) {
      board.rollback();
      this.waiters.rollback();
      throw fault;
    }
    board.commit();
    group.settle();
    this.waiters.commit();
    if (group.events.length > 0) this.#needs.committed(group.events);
    return count;
  }

  /** A decision that throws is a bug in that one command and must not fail the others. */
  #decide(group: Group, commands: readonly Command[]): number {
    let count = 0;
    try {
      while (count < commands.length && group.events.length < MAX_EVENTS) {
        group.decide(commands[count] as Command);
        count += 1;
      }
      this.waiters.match(group);
    } catch (cause) {
      throw new GroupRefused('a board command could not be processed', { cause });
    }
    return count;
  }

  async #recall(commands: readonly Command[]): Promise<Recalled> {
    const keys = commands.map(({ change }) => keysOf(change)).filter((key) => key !== undefined);
    if (keys.length === 0) return NOTHING_RECALLED;
    const interrupted = new Promise<never>((_, interrupt) => {
      this.#interruptRead = interrupt;
    });
    const recalled = this.#needs.store.recall({
      responses: keys.flatMap((key) => key.responses ?? []),
      tasks: keys.flatMap((key) => key.tasks ?? []),
      threads: keys.flatMap((key) => key.threads ?? []),
      runs: keys.flatMap((key) => key.runs ?? []),
    });
    try {
      return await Promise.race([recalled, interrupted]);
    } finally {
      this.#interruptRead = undefined;
    }
  }

  /**
   * A refused command fails alone. Commands that the store could not serve now fail together, and
   * nothing was changed. Any other fault ends this writer.
   */
  #failSome(commands: readonly Command[], fault: Error): number {
    if (fault instanceof GroupRefused) {
      commands[0]?.fail(fault);
      return 1;
    }
    const isTemporary = fault instanceof StoreUnavailable || fault instanceof StoreFull;
    if (!isTemporary) this.stop(fault);
    this.#failAll(commands, fault);
    return commands.length;
  }

  #failAll(commands: readonly Command[], fault: Error): void {
    for (const command of commands) command.fail(fault);
  }

  /** Fails what the store was not asked to write yet. A group that it was asked to write has to wait. */
  failUnsent(fault: StoreUnavailable): void {
    const queued = this.#queue;
    this.#queue = [];
    this.#failAll(queued, fault);
    this.#interruptRead?.(fault);
    this.waiters.failUnmatched(fault);
  }

  /** Fails every pending and later command with the reason. */
  stop(fault: Error): void {
    if (this.#fault) return;
    this.#fault = fault;
    const queued = this.#queue;
    this.#queue = [];
    for (const command of queued) command.fail(fault);
    this.waiters.failAll(fault);
    this.#needs.lost(fault);
  }

  #claimCommand({ meta, worker, wait }: ClaimRequest): {
    readonly command: Command;
    readonly pending: PendingClaim;
  } {
    const { promise, resolve, reject } = Promise.withResolvers<Claimed | Refusal>();
    let patience: Patience | undefined;
    let isCancelled = false;
    const command: Command = {
      change: { meta, decide: (board) => claimFor(board, worker, this.waiters) },
      settle: (outcome) => {
        if (!patience) resolve(outcome as Claimed | Refusal);
      },
      fail: reject,
      follow: (outcome) => {
        patience?.end();
        patience = undefined;
        this.#tellPolls(worker, outcome);
        if (isRefusal(outcome) && mayChange(outcome) && wait > 0 && !isCancelled) {
          patience = this.#wait({ worker, meta, settle: resolve, fail: reject }, wait, outcome);
        }
        return undefined;
      },
    };
    const cancel = () => {
      isCancelled = true;
      if (patience?.end()) resolve(CLIENT_GONE);
    };
    return { command, pending: { claimed: promise, cancel } };
  }

  /** The same worker may have another poll open, and may listen only to that one. */
  #tellPolls(id: WorkerId, outcome: Outcome<unknown>): void {
    const worker = this.board.workers.get(id);
    if (worker && !isRefusal(outcome)) this.waiters.give(worker, outcome as Claimed);
  }

  /** Joins the queue in this group, to catch what a later command of the group makes claimable. */
  #wait(request: Omit<Waiter, 'instance'>, wait: Duration, refusal: Refusal): Patience {
    const instance = this.board.workers.get(request.worker)?.instance ?? '';
    const waiter: Waiter = {
      ...request,
      instance,
      settle: (claimed) => {
        timer.cancel();
        request.settle(claimed);
      },
      fail: (fault) => {
        timer.cancel();
        request.fail(fault);
      },
    };
    const timer = this.#needs.clock.after(wait, () => {
      if (this.waiters.remove(waiter)) request.settle(refusal);
    });
    this.waiters.add(waiter);
    return {
      end: () => {
        timer.cancel();
        return this.waiters.remove(waiter);
      },
    };
  }
}

interface Patience {
  /** True if the worker was still waiting. */
  end(): boolean;
}

const CLIENT_GONE = refuse('nothing_claimable', 'the worker stopped waiting');

function claimFor(board: Board, id: WorkerId, waiters: Waiters) {
  const worker = board.workers.get(id);
  if (worker) return claim(board, worker, waiters);
  return refuseWith<Claimed>(refuse('unknown_worker', `${nameOf('worker', id)} is not registered`));
}

/** True for a refusal that a change elsewhere can lift while the worker waits. */
function mayChange({ refused }: Refusal): boolean {
  return (
    refused === 'nothing_claimable' ||
    refused === 'hall_paused' ||
    refused === 'instance_paused' ||
    refused === 'instance_at_capacity'
  );
}

const NOTHING: Change<true> = {
  meta: { actor: 'hall', cause: 'idle' },
  decide: () => ({ events: [], answer: true }),
};

const NOTHING_RECALLED: Recalled = {
  responses: new Map(),
  tasks: new Map(),
  threads: new Map(),
  runs: new Map(),
};

function keysOf({ keys, idempotency: once }: Change<unknown>): Keys | undefined {
  if (!once) return keys;
  return { ...keys, responses: [...(keys?.responses ?? []), once.key] };
}
