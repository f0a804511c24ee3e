import type { Board } from '../domain/board.ts';
import type { Recorded } from '../domain/event.ts';
import { nameOf, numberIn, type WorkerId } from '../domain/ids.ts';
import { loseWorker } from '../domain/lost-worker.ts';
import { allowedIn } from '../domain/pool.ts';
import { missingWorkers, staffedProjects } from '../domain/recruiting.ts';
import { drainWorker } from '../domain/registering.ts';
import { type MachineLacks, unableInstances } from '../domain/staffing.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Recruit, Recruits } from '../ports/recruits.ts';
import type { Hall } from './hall.ts';
import type { RecruitBackoff, RecruiterStatus } from './recruiter-status.ts';

interface Needs {
  readonly hall: Hall;
  readonly recruits: Recruits;
  readonly clock: Clock;
  readonly log: Log;
  /** The maximum number of workers that the hall itself starts. */
  readonly most: number;
  /** Why no run may start on this machine; null when one may. */
  readonly held: () => string | null;
  /** What this machine lacks for agents. */
  readonly lacks: MachineLacks;
}

const LOOK_EVERY = 1_000;
const MAX_BACKOFF = 5 * 60_000;

interface Recruiter {
  state(): RecruiterStatus;
  /** Starts no more workers and dismisses those without a run; resolves when they have left. */
  dismissAll(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts workers where there is work, and cleans up after those that are gone: the task of a worker
 * that died is released at once, without waiting for its lease.
 */
export function recruit(needs: Needs): Recruiter {
  const { clock, log } = needs;
  const backoffs = new Backoffs(clock);
  const losses = new Losses();
  const listening = needs.hall.subscribe((events) => losses.heard(events));
  let isStopped = false;
  let alive = 0;
  let looking = Promise.resolve();
  let timer = clock.after(0, look);

  function look(): void {
    looking = lookAround({ ...needs, backoffs, losses })
      .then((count) => {
        alive = count;
      })
      .catch((fault: Error) => log.error('could not start workers', { fault: fault.message }))
      .finally(() => {
        if (!isStopped) timer = clock.after(LOOK_EVERY, look);
      });
  }

  async function stop(): Promise<void> {
    isStopped = true;
    timer.cancel();
    listening.stop();
    await looking;
  }

  return {
    state: () => ({
      alive,
      most: needs.most,
      held: needs.held(),
      resting: backoffs.list(),
      unable: needs.most === 0 ? [] : unableInstances(needs.hall.board, needs.lacks),
    }),
    async dismissAll() {
      await stop();
      await dismissIdle(needs);
    },
    stop,
  };
}

interface Memory {
  readonly backoffs: Backoffs;
  readonly losses: Losses;
}

/** Returns the number of live workers, including those just started. */
async function lookAround(needs: Needs & Memory): Promise<number> {
  const { hall, recruits, most, backoffs } = needs;
  const leading = hall.leading();
  if (!leading) {
    needs.losses.keepOnly([]);
    return 0;
  }
  const all = await recruits.list();
  needs.losses.keepOnly(all.flatMap(({ worker }) => worker ?? []));
  for (const dead of all.filter(({ isAlive }) => !isAlive)) await recordDeath(needs, dead);
  const alive = all.filter(({ isAlive }) => isAlive);
  const freeSlots = most - alive.length;
  if (needs.held() !== null) await drainAll(needs, alive);
  if (needs.held() !== null || freeSlots <= 0) return alive.length;
  let started = 0;
  const unable = unableInstances(hall.board, needs.lacks);
  const isUnable = (instance: string, project: string) =>
    unable.some((each) => each.instance === instance && each.project === project);
  const available = availableWorkers(hall, alive);
  const missing = missingWorkers(hall.board, available, freeSlots, isUnable);
  for (const instance of missing) {
    if (!backoffs.mayStart(instance)) continue;
    if (await isStarted(needs, instance)) started += 1;
  }
  return alive.length + started;
}

/** A failed start backs off like a death: what was missing, such as space, still is. */
async function isStarted(needs: Needs & Memory, instance: string): Promise<boolean> {
  const { hall, recruits, log, backoffs } = needs;
  try {
    await recruits.start(instance, scopeOf(hall.board, instance));
    log.info('worker started', { instance });
    return true;
  } catch (fault) {
    const because = fault instanceof Error ? fault.message : String(fault);
    log.error('worker did not start', { instance, fault: because });
    backoffs.failed(instance, because);
    return false;
  }
}

/** While no run may start, workers finish what they have. */
async function drainAll({ hall }: Needs, alive: readonly Recruit[]): Promise<void> {
  for (const { worker } of alive) {
    if (worker === null || !isKnown(hall.board, worker)) continue;
    await hall.leading()?.writer.change({
      meta: { actor: 'hall', cause: 'recruiter' },
      decide: (board) => drainWorker(board, idOf(worker)),
    });
  }
}

/** Workers that are waiting, starting up, or between two requests for work. */
function availableWorkers(hall: Hall, alive: readonly Recruit[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (instance: string) => counts.set(instance, (counts.get(instance) ?? 0) + 1);
  const waiters = hall.leading()?.writer.waiters;
  for (const { id, instance, bringsModel, projects } of hall.board.workers.values()) {
    if (bringsModel || hall.board.runOf.has(id)) continue;
    const isNarrow = scopeOf(hall.board, instance).some(
      (name) => projects?.includes(name) === false,
    );
    if (isNarrow) continue;
    if (waiters?.includes(id)) add(instance);
  }
  for (const { instance, worker } of alive) {
    if (worker === null || (isFree(hall.board, worker) && !waiters?.includes(idOf(worker)))) {
      add(instance);
    }
  }
  return counts;
}

/** Projects without a repository are for other programs, not for the hall's own workers. */
function scopeOf(board: Board, name: string): readonly string[] {
  const instance = board.instances.get(name);
  const projects = staffedProjects(board).filter(
    (project) => instance && allowedIn(instance, project.name),
  );
  return projects.length > MAX_NAMED ? [] : projects.map((project) => project.name);
}

/** The most projects a worker may name at registration; one that names none works everywhere. */
const MAX_NAMED = 100;

/** A worker that the board has given up is not free, even if its process still exists. */
function isFree(board: Board, worker: string): boolean {
  const known = board.workers.get(idOf(worker));
  return known !== undefined && !known.draining && !board.runOf.has(known.id);
}

function isKnown(board: Board, worker: string | null): boolean {
  return worker !== null && board.workers.has(idOf(worker));
}

function idOf(worker: string): WorkerId {
  return (numberIn('worker', worker) ?? 0) as WorkerId;
}

/** A worker with a run keeps it and is found again; the others hold nothing worth keeping. */
async function dismissIdle({ hall, recruits, clock }: Needs): Promise<void> {
  const isThere = ({ isAlive, worker }: Recruit) => isAlive && !isBusy(hall.board, worker);
  for (const idle of (await recruits.list()).filter(isThere)) recruits.dismiss(idle);
  const deadline = clock.monotonic() + DISMISS_TIMEOUT;
  while ((await recruits.list()).some(isThere) && clock.monotonic() < deadline) {
    await new Promise<void>((resolve) => clock.after(DISMISS_TIMEOUT / 40, resolve));
  }
}

const DISMISS_TIMEOUT = 2_000;

function isBusy(board: Board, worker: string | null): boolean {
  return worker !== null && board.runOf.has(idOf(worker));
}

async function recordDeath(needs: Needs & Memory, dead: Recruit): Promise<void> {
  const { hall, recruits, log, backoffs, losses } = needs;
  const { worker, instance } = dead;
  if (worker !== null && isKnown(hall.board, worker)) {
    log.warn('worker died', { worker, instance });
    await hall.leading()?.writer.change({
      meta: { actor: 'hall', cause: 'recruiter' },
      decide: (board, now) => loseWorker(board, idOf(worker), 'its process ended', now),
    });
    backoffs.failed(instance, 'its process ended');
  } else if (worker === null) {
    // Regardless of how long it tried: a hanging engine or an unresponsive hall takes time.
    log.error('worker did not start', { instance, log: dead.name, output: dead.lastOutput });
    backoffs.failed(instance, dead.lastOutput ?? 'it did not start');
  } else if (losses.includes(worker)) {
    backoffs.failed(instance, 'its agent died');
  } else {
    backoffs.worked(instance);
  }
  await recruits.forget(dead);
}

/** Workers that lost a run: the process of some just ends, others deregister after the loss. */
class Losses {
  readonly #workers = new Set<string>();
  /** Recorded before the last look: a worker that was not the hall's own by then never will be. */
  #before = new Set<string>();

  heard(events: readonly Recorded[]): void {
    let isLoss = false;
    for (const { event } of events) {
      if (event.type === 'RunEnded') isLoss = event.ending.how === 'lost';
      if (event.type !== 'WorkerDeregistered') continue;
      if (isLoss) this.#workers.add(nameOf('worker', event.worker));
      isLoss = false;
    }
  }

  includes(worker: string | null): boolean {
    return worker !== null && this.#workers.delete(worker);
  }

  /** Workers on other machines are lost too, and this hall does not clean up after them. */
  keepOnly(own: readonly string[]): void {
    for (const worker of this.#before) if (!own.includes(worker)) this.#workers.delete(worker);
    this.#before = new Set(this.#workers);
  }
}

/** Delays the next start after a death, twice as long each time. */
class Backoffs {
  readonly #clock: Clock;
  readonly #after = new Map<string, Backoff>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  mayStart(instance: string): boolean {
    return (this.#after.get(instance)?.until ?? 0) <= this.#clock.monotonic();
  }

  failed(instance: string, because: string): void {
    const { deaths, delay: last } = this.#after.get(instance) ?? { deaths: 0, delay: 500 };
    const delay = Math.min(last * 2, MAX_BACKOFF);
    const until = this.#clock.monotonic() + delay;
    this.#after.set(instance, { until, delay, deaths: deaths + 1, because });
  }

  list(): readonly RecruitBackoff[] {
    return [...this.#after].map(([instance, { until, deaths, because }]) => {
      const seconds = Math.max(0, Math.ceil((until - this.#clock.monotonic()) / 1_000));
      return { instance, deaths, seconds, because };
    });
  }

  worked(instance: string): void {
    this.#after.delete(instance);
  }
}

interface Backoff {
  readonly until: number;
  readonly delay: number;
  readonly deaths: number;
  readonly because: string;
}
