import { decide } from '../domain/decision.ts';
import type { HallEvent } from '../domain/event.ts';
import type { Duration, Instant } from '../domain/ids.ts';
import { allSources, type ConfiguredSource, whyNotRead } from '../domain/sources/configured.ts';
import { neverRead, type SourceFailure } from '../domain/sources/item.ts';
import { MAX_SOURCE_RETRIES, type RetryTimes, waitAfterFailure } from '../domain/sources/retry.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type SyncNeeds, syncSource } from './sync-source.ts';

interface Needs extends SyncNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly times: RetryTimes;
  readonly pollEvery: (source: ConfiguredSource) => Duration;
}

export interface SourceSync {
  /** When this node last read a source; null if it never did. */
  readAt(id: string): Instant | null;
  /** Reads a source now. Returns once it was read or could not be. */
  sync(source: ConfiguredSource): Promise<void>;
  stop(): Promise<void>;
}

const TICK: Duration = 1_000;

/** Reads the task sources of all projects while this node leads: regularly, and whenever a merge may have changed them. */
export function syncSources(needs: Needs): SourceSync {
  const syncs = new Syncs(needs);
  let timer = needs.clock.after(0, tick);

  function tick(): void {
    syncs.startDue();
    timer = needs.clock.after(Math.min(TICK, needs.times.first), tick);
  }

  const listening = needs.hall.subscribe((events) => {
    for (const { event } of events) syncs.takeNote(event);
  });
  return {
    readAt: (id) => syncs.readAt(id),
    sync: (source) => syncs.sync(source),
    async stop() {
      timer.cancel();
      listening.stop();
      await syncs.stop();
    },
  };
}

class Syncs {
  readonly #needs: Needs;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #dueAt = new Map<string, Duration>();
  readonly #readAt = new Map<string, Instant>();
  #isStopped = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  readAt(id: string): Instant | null {
    return this.#readAt.get(id) ?? null;
  }

  /** A fetch of a large repository takes long; the next start reads the source again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = this.#needs.clock.after(STOP_WAIT, resolve);
    await Promise.race([Promise.all(this.#underWay.values()), late]);
    timer.cancel();
  }

  /** A merge moves the base branch, and a changed project may have other sources. */
  takeNote(event: HallEvent): void {
    if (event.type === 'ProjectSet') this.#makeDue(event.project.name);
    if (event.type !== 'PullRequestMerged') return;
    const project = this.#needs.hall.board.threads.get(event.thread)?.project;
    this.#makeDue(project ?? null);
  }

  #makeDue(project: string | null): void {
    for (const source of allSources(this.#needs.hall.board)) {
      if (project === null || source.project === project) this.#dueAt.delete(source.id);
    }
  }

  startDue(): void {
    const { hall, clock } = this.#needs;
    if (this.#isStopped || !hall.leading()) return;
    for (const source of allSources(hall.board)) {
      const isDue = (this.#dueAt.get(source.id) ?? 0) <= clock.monotonic();
      if (isDue && this.#isRead(source) && !this.#underWay.has(source.id)) {
        void this.#start(source, false);
      }
    }
    if (hasForgettable(this.#needs)) void forget(this.#needs);
  }

  #isRead(source: ConfiguredSource): boolean {
    const { board } = this.#needs.hall;
    const project = board.projects.get(source.project);
    return source.kind !== 'api' && !project?.paused && whyNotRead(board, source) === null;
  }

  async sync(source: ConfiguredSource): Promise<void> {
    await this.#underWay.get(source.id);
    if (this.#isRead(source) && !this.#isStopped) await this.#start(source, true);
  }

  #start(source: ConfiguredSource, isForced: boolean): Promise<void> {
    const doing = this.#read(source, isForced).finally(() => this.#underWay.delete(source.id));
    this.#underWay.set(source.id, doing);
    return doing;
  }

  /** A source that fails is left alone for a while, and the board goes on. */
  async #read(source: ConfiguredSource, isForced: boolean): Promise<void> {
    const { hall, clock, log, times, pollEvery } = this.#needs;
    const { id } = source;
    try {
      await syncSource(this.#needs, { source, isForced });
      this.#readAt.set(id, clock.now());
      this.#dueAt.set(id, clock.monotonic() + pollEvery(source));
    } catch (fault) {
      if (this.#isStopped || !hall.leading()) return;
      const because = fault instanceof Error ? fault.message : String(fault);
      const tries = await this.#failed(source, because);
      this.#dueAt.set(id, clock.monotonic() + waitAfterFailure(tries, times));
      log.warn('task source unavailable', { source: id, tries, fault: because });
    }
  }

  /** Each retry is an event; the probes after them are not, however long the source is away. */
  async #failed({ id, project }: ConfiguredSource, because: string): Promise<number> {
    const { hall, clock } = this.#needs;
    const before = hall.board.sources.get(id) ?? neverRead({ id, project });
    const tries = (before.failure?.tries ?? 0) + 1;
    if (tries > MAX_SOURCE_RETRIES + 1) return tries;
    const failure: SourceFailure = {
      since: before.failure?.since ?? clock.now(),
      because: because.slice(0, MAX_REASON),
      tries,
    };
    const source = { ...before, failure };
    const meta = { actor: `source:${id}`, cause: 'source' };
    await hall.leading()?.writer.change({
      meta,
      decide: () => decide(id, [{ type: 'SourceFailed', source }]),
    });
    return tries;
  }
}

const STOP_WAIT: Duration = 5_000;
const MAX_REASON = 500;

/** Records of sources and items whose project was removed. */
function hasForgettable({ hall: { board } }: Needs): boolean {
  return [...board.sources.values()].some(({ project }) => !board.projects.has(project));
}

async function forget({ hall }: Needs): Promise<void> {
  const meta = { actor: 'hall', cause: 'source' };
  await hall.leading()?.writer.change({
    meta,
    decide: (board) => {
      const isOver = ({ project }: { readonly project: string }) => !board.projects.has(project);
      const items = [...board.items.values()].filter(isOver).slice(0, MAX_FORGOTTEN);
      const sources =
        items.length === MAX_FORGOTTEN ? [] : [...board.sources.values()].filter(isOver);
      return decide(null, [
        ...items.map(({ key }): HallEvent => ({ type: 'SourceItemForgotten', item: key })),
        ...sources.map(({ id }): HallEvent => ({ type: 'SourceForgotten', source: id })),
      ]);
    },
  });
}

const MAX_FORGOTTEN = 1_000;
