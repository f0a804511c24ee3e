import { type Declaration, declare, declarePersonas } from '../domain/apply-config.ts';
import { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import type { Recorded } from '../domain/event.ts';
import type { Duration } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import {
  type Head,
  type Heartbeat,
  LeadershipLost,
  type Store,
  StoreFull,
} from '../ports/store.ts';
import { Liveness } from './liveness.ts';
import { loadBoard } from './load-board.ts';
import { type MaintenanceTimes, runMaintenance } from './maintenance.ts';
import { SearchIndexer } from './search-indexer.ts';
import { shownFault } from './shown-fault.ts';
import { Writer } from './writer.ts';

/** A hall that may change the board. */
export interface LeadingHall {
  readonly writer: Writer;
  readonly liveness: Liveness;
  /** How long the store has not answered, once another node may lead because of it; 0 otherwise. */
  readonly cutOffFor: () => Duration;
  readonly search: Pick<SearchIndexer, 'reach'>;
}

/** The board to read and, while this node leads, a writer to change it. */
export interface Hall {
  readonly board: Board;
  readonly store: Store;
  readonly clock: Clock;
  readonly times: MaintenanceTimes;
  leading(): LeadingHall | undefined;
  /** The address of another node that leads; undefined unless its heartbeat is known to be recent. */
  leaderUrl(): string | undefined;
  /** What keeps this node from following or leading, if it does neither. */
  obstacle(): string | undefined;
  /** Delivers the events of each commit, in order and without gaps. */
  subscribe(listener: (events: readonly Recorded[]) => void): { stop(): void };
  /** Why the board cannot be changed at all, if it cannot. */
  fault(): Error | undefined;
  /** The end of the log after the last change that this node acknowledged; undefined if it never led. */
  lastCommit(): Head | undefined;
  stop(): Promise<void>;
}

export interface HallNeeds {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: MaintenanceTimes;
  /** The current content of the configuration file. */
  readonly declaration: () => Declaration;
  /** Called when the store failed: the process must exit. */
  readonly broken: (fault: Error) => void;
}

interface Listeners {
  readonly tell: (events: readonly Recorded[]) => void;
  readonly subscribe: Hall['subscribe'];
}

export function createListeners(): Listeners {
  const listeners = new Set<(events: readonly Recorded[]) => void>();
  return {
    tell: (events) => {
      for (const listener of listeners) listener(events);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return { stop: () => listeners.delete(listener) };
    },
  };
}

/** The only hall on its store. */
export async function openHall(needs: HallNeeds): Promise<Hall> {
  const { store, clock, times } = needs;
  const board = new Board();
  const listeners = createListeners();
  const { head, savedHeartbeats } = await loadBoard(store, board);
  let fault: Error | undefined;
  const lost = (why: Error) => {
    fault = why;
    needs.broken(why);
  };
  const isAssured = () => true;
  const cutOffFor = () => 0;
  const term = { board, head, savedHeartbeats, epoch: 0, isAssured, cutOffFor, lost, listeners };
  const { leading, stop } = await startLeading(needs, term);
  return {
    board,
    store,
    clock,
    times,
    leading: () => (fault ? undefined : leading),
    leaderUrl: () => undefined,
    obstacle: () => shownFault(fault),
    subscribe: listeners.subscribe,
    fault: () => fault,
    lastCommit: () => leading.writer.head,
    stop,
  };
}

interface Term {
  readonly board: Board;
  readonly head: Head;
  readonly savedHeartbeats: readonly Heartbeat[];
  readonly epoch: number;
  readonly isAssured: () => boolean;
  readonly cutOffFor: () => Duration;
  readonly lost: (fault: Error) => void;
  readonly listeners: Listeners;
}

/** Starts the writer, the liveness tracking and the maintenance chores. */
export async function startLeading(
  { store, clock, log, times, declaration }: HallNeeds,
  { board, head, savedHeartbeats, epoch, isAssured, cutOffFor, lost, listeners }: Term,
): Promise<{ readonly leading: LeadingHall; stop(): Promise<void> }> {
  const liveness = new Liveness({ clock, board, tick: times.tick });
  let house: ReturnType<typeof runMaintenance> | undefined;
  let search: SearchIndexer | undefined;
  let isStopped = false;
  for (const heartbeat of savedHeartbeats) liveness.remember(heartbeat);
  const writer = new Writer({
    store,
    clock,
    board,
    head,
    epoch,
    isAssured,
    savedHeartbeats: () => liveness.takeUnsaved(),
    committed: (events) => {
      listeners.tell(events);
      search?.committed(events);
    },
    lost: (fault) => {
      house?.stop();
      void search?.stop();
      if (!isStopped) lost(fault);
    },
  });
  await declareAtStart(writer, declaration(), log);
  house = runMaintenance({ writer, liveness, store, clock, log, times });
  search = new SearchIndexer({ store, clock, log, end: writer.head.seq, tick: times.tick });
  return {
    leading: { writer, liveness, cutOffFor, search },
    async stop() {
      house?.stop();
      await search?.stop();
      await writer.idle();
      isStopped = true;
      writer.stop(new LeadershipLost('the hall was stopped'));
    },
  };
}

/** A hall without space for its new configuration can still be read. */
async function declareAtStart(writer: Writer, declaration: Declaration, log: Log): Promise<void> {
  try {
    await applyDeclaration(writer, declaration);
  } catch (fault) {
    if (!(fault instanceof StoreFull)) throw fault;
    log.error('configuration not applied, restart the hall when there is space', {
      fault: fault.message,
    });
  }
}

/** Brings the board in line with the configuration file, at the start and after each reload. */
export async function applyDeclaration(writer: Writer, declaration: Declaration): Promise<void> {
  await writer.change({
    meta: { actor: 'file', cause: 'configuration' },
    decide: (board, now) => declare(board, declaration, now),
  });
}

/** Brings the personas of the board in line with their catalog, which changes while the hall runs. */
export async function applyPersonas(
  writer: Writer,
  personas: Declaration['personas'],
): Promise<void> {
  await writer.change({
    meta: { actor: 'file', cause: 'agents.yml' },
    decide: (board) => decide(true, declarePersonas(board, personas)),
  });
}
