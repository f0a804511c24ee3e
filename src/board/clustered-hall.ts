import { Board } from '../domain/board.ts';
import { evolve } from '../domain/evolve.ts';
import type { Duration } from '../domain/ids.ts';
import type { Leader, Leadership } from '../ports/leadership.ts';
import { LeadershipLost } from '../ports/store.ts';
import {
  createListeners,
  type Hall,
  type HallNeeds,
  type LeadingHall,
  startLeading,
} from './hall.ts';
import { loadBoard } from './load-board.ts';
import type { Writer } from './writer.ts';

interface SharedNeeds extends HallNeeds {
  readonly leadership: Leadership;
  /** Where other nodes reach this one. */
  readonly url: string;
  readonly pace: LeadershipTimes;
}

export interface LeadershipTimes {
  /** How often the leader sends a heartbeat and the other nodes check it. */
  readonly heartbeat: Duration;
  /** How long a follower sees the same heartbeat before it takes over. */
  readonly patience: Duration;
}

const PAGE = 2_000;

/**
 * One of several halls on a store. It folds the log that the leader writes, and takes over when the
 * leader has sent no heartbeat for a while by this node's monotonic clock.
 */
export async function openClusteredHall(needs: SharedNeeds): Promise<Hall> {
  const { store, clock, times, log } = needs;
  const board = new Board();
  const listeners = createListeners();
  await loadBoard(store, board);
  const node = new Node(needs, board, listeners);
  await node.start();
  const subscription = needs.leadership.onMove(() => node.wake());
  log.info('joined the hall', { leading: node.leading !== undefined, seq: board.seq });
  return {
    board,
    store,
    clock,
    times,
    leading: () => node.leading,
    leaderUrl: () => node.leaderUrl,
    subscribe: listeners.subscribe,
    fault: () => undefined,
    lastCommit: () => node.lastWriter?.head,
    async stop() {
      subscription.stop();
      await node.stop();
    },
  };
}

class Node {
  leading: LeadingHall | undefined;
  lastWriter: Writer | undefined;
  readonly #needs: SharedNeeds;
  readonly #board: Board;
  readonly #listeners: ReturnType<typeof createListeners>;
  #stopLeading: (() => Promise<void>) | undefined;
  #epoch = 0;
  #seen: { readonly leader: Leader; readonly since: Duration } | undefined;
  #timer: { cancel(): void } | undefined;
  /** Until then no other node can lead, by this node's monotonic clock. */
  #assuredUntil: Duration = 0;
  #ongoing: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(needs: SharedNeeds, board: Board, listeners: ReturnType<typeof createListeners>) {
    this.#needs = needs;
    this.#board = board;
    this.#listeners = listeners;
  }

  /** Two steps at once would fold the same events twice, so the timer starts after the first. */
  async start(): Promise<void> {
    await this.#guarded();
    this.#arm();
  }

  get leaderUrl(): string | undefined {
    return this.leading ? undefined : this.#seen?.leader.url || undefined;
  }

  /** Called when the log may have grown. */
  wake(): void {
    if (this.leading || this.#stopped) return;
    if (this.#ongoing !== undefined) this.#again = true;
    else void this.#guarded();
  }

  /** Sends a heartbeat while leading; otherwise follows, and takes over if there is no leader. */
  async step(): Promise<void> {
    const { leadership, clock, pace } = this.#needs;
    if (this.leading) {
      const sentAt = clock.monotonic();
      if (!(await leadership.heartbeat(this.#epoch))) return this.#abdicate();
      this.#assuredUntil = sentAt + pace.patience;
      return;
    }
    const leader = await leadership.look();
    await this.#follow(leader.seq);
    const same = this.#seen?.leader;
    if (!same || same.epoch !== leader.epoch || same.heartbeat !== leader.heartbeat) {
      this.#seen = { leader, since: clock.monotonic() };
    }
    const silent = clock.monotonic() - (this.#seen?.since ?? 0) >= pace.patience;
    if (leader.url === '' || silent) await this.#takeOver(leader);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#ongoing;
    if (!this.leading) return;
    await this.#stopLeading?.();
    this.leading = undefined;
    await this.#needs.leadership.stepDown(this.#epoch);
  }

  #tick(): void {
    void this.#guarded().finally(() => this.#arm());
  }

  #arm(): void {
    if (this.#stopped) return;
    this.#timer = this.#needs.clock.after(this.#needs.pace.heartbeat, () => this.#tick());
  }

  async #guarded(): Promise<void> {
    if (this.#ongoing !== undefined || this.#stopped) return;
    this.#ongoing = this.#tryStep();
    await this.#ongoing;
    this.#ongoing = undefined;
  }

  /** The store may be unreachable for a while; the next heartbeat tries again. */
  async #tryStep(): Promise<void> {
    try {
      do {
        this.#again = false;
        await this.step();
      } while (this.#again && !this.leading);
    } catch (fault) {
      this.#needs.log.warn('store unreachable', { fault: (fault as Error).message });
    }
  }

  async #follow(until: number): Promise<void> {
    while (this.#board.seq < until) {
      const { rows } = await this.#needs.store.events({ after: this.#board.seq, limit: PAGE });
      if (rows.length === 0) return;
      for (const recorded of rows) evolve(this.#board, recorded);
      this.#board.commit();
      this.#listeners.tell(rows);
    }
  }

  async #takeOver(leader: Leader): Promise<void> {
    const { leadership, store, clock, pace, url, log } = this.#needs;
    const sentAt = clock.monotonic();
    const epoch = await leadership.takeOver(leader, url);
    if (epoch === undefined) return;
    this.#assuredUntil = sentAt + pace.patience;
    const head = await store.head();
    await this.#follow(head.seq);
    const savedHeartbeats = await store.heartbeats();
    const lost = (fault: Error) => void this.#lost(fault);
    const isAssured = () => clock.monotonic() < this.#assuredUntil;
    const place = { board: this.#board, head, savedHeartbeats, epoch, listeners: this.#listeners };
    const term = { ...place, isAssured, lost };
    const { leading, stop } = await startLeading(this.#needs, term);
    this.#epoch = epoch;
    this.leading = leading;
    this.lastWriter = leading.writer;
    this.#stopLeading = stop;
    this.#seen = undefined;
    log.info('became the leader', { epoch, seq: head.seq });
  }

  async #lost(fault: Error): Promise<void> {
    this.leading = undefined;
    if (!(fault instanceof LeadershipLost)) this.#needs.broken(fault);
  }

  async #abdicate(): Promise<void> {
    this.#needs.log.warn('another node became the leader', { epoch: this.#epoch });
    await this.#stopLeading?.();
    this.leading = undefined;
  }
}
