import { Board } from '../domain/board.ts';
import { evolve } from '../domain/evolve.ts';
import type { Duration } from '../domain/ids.ts';
import type { Leader, Leadership } from '../ports/leadership.ts';
import { LeadershipLost, SchemaAhead } from '../ports/store.ts';
import {
  createListeners,
  type Hall,
  type HallNeeds,
  type LeadingHall,
  startLeading,
} from './hall.ts';
import { storeSilent } from './leader.ts';
import { loadBoard } from './load-board.ts';
import { shownFault } from './shown-fault.ts';
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

interface SeenLeader {
  readonly leader: Leader;
  /** When this node first saw the leader with this heartbeat. */
  readonly since: Duration;
  /** True when the node has seen a heartbeat before this one. */
  readonly hasMoved: boolean;
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
    obstacle: () => node.obstacle,
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
  /** Why the last step failed. */
  obstacle: string | undefined;
  readonly #needs: SharedNeeds;
  readonly #board: Board;
  readonly #listeners: ReturnType<typeof createListeners>;
  #stopLeading: (() => Promise<void>) | undefined;
  #epoch = 0;
  #seen: SeenLeader | undefined;
  #timer: { cancel(): void } | undefined;
  /** Until then no other node can lead, by this node's monotonic clock. */
  #assuredUntil: Duration = 0;
  /** When the first heartbeat was sent that the store has not answered. */
  #unansweredSince: Duration | undefined;
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

  /** Only a heartbeat that moved shows that a leader is alive; a row that names one may be old. */
  get leaderUrl(): string | undefined {
    if (this.leading || !this.#seen?.hasMoved || this.#isSilent) return undefined;
    const { url } = this.#seen.leader;
    return url === '' || url === this.#needs.url ? undefined : url;
  }

  /** A process that was merely slow has no heartbeat that waits for an answer. */
  get cutOffFor(): Duration {
    const { clock, pace } = this.#needs;
    const now = clock.monotonic();
    if (this.#unansweredSince === undefined || now < this.#assuredUntil) return 0;
    const silent = now - this.#unansweredSince;
    return silent < pace.patience - pace.heartbeat ? 0 : silent;
  }

  get #isSilent(): boolean {
    const { clock, pace } = this.#needs;
    return clock.monotonic() - (this.#seen?.since ?? 0) >= pace.patience;
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
      using _watch = this.#watchAnswer(sentAt);
      if (!(await leadership.heartbeat(this.#epoch))) return this.#abdicate();
      this.#assuredUntil = sentAt + pace.patience;
      this.#unansweredSince = undefined;
      return;
    }
    const leader = await leadership.look();
    await this.#follow(leader.seq);
    const same = this.#seen?.leader;
    if (!same || same.epoch !== leader.epoch || same.heartbeat !== leader.heartbeat) {
      this.#seen = { leader, since: clock.monotonic(), hasMoved: same !== undefined };
    }
    if (leader.url === '' || this.#isSilent) await this.#takeOver(leader);
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
      this.obstacle = undefined;
    } catch (fault) {
      if (fault instanceof SchemaAhead) return this.#end(fault);
      this.obstacle = shownFault(fault) ?? 'unexpected error, see the log of this node';
      const { message } = fault as Error;
      this.#needs.log.warn('could not follow or lead, retrying', { fault: message });
    }
  }

  /** Requests that wait for a leader cut off from its store are better tried elsewhere. */
  #watchAnswer(sentAt: Duration): Disposable {
    const { clock, pace } = this.#needs;
    this.#unansweredSince ??= sentAt;
    const patience = Math.max(this.#assuredUntil - sentAt, pace.patience - pace.heartbeat);
    const timer = clock.after(patience, () => void this.#failUnsent());
    return { [Symbol.dispose]: () => timer.cancel() };
  }

  /** After a pause of this process the answer may be there, but not read yet. */
  async #failUnsent(): Promise<void> {
    await this.#needs.clock.yieldToEventLoop();
    const silent = this.cutOffFor;
    if (silent > 0) this.leading?.writer.failUnsent(storeSilent(silent));
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
    const cutOffFor = () => this.cutOffFor;
    const term = { ...place, isAssured, cutOffFor, lost };
    const { leading, stop } = await startLeading(this.#needs, term);
    this.#epoch = epoch;
    this.leading = leading;
    this.lastWriter = leading.writer;
    this.#stopLeading = stop;
    this.#seen = undefined;
    this.#unansweredSince = undefined;
    log.info('became the leader', { epoch, seq: head.seq });
  }

  async #lost(fault: Error): Promise<void> {
    this.leading = undefined;
    if (!(fault instanceof LeadershipLost)) this.#needs.broken(fault);
  }

  /** This node can never serve again. */
  #end(fault: Error): void {
    this.#stopped = true;
    if (this.leading) this.leading.writer.stop(fault);
    else this.#needs.broken(fault);
  }

  async #abdicate(): Promise<void> {
    this.#needs.log.warn('another node became the leader', { epoch: this.#epoch });
    await this.#stopLeading?.();
    this.leading = undefined;
  }
}
