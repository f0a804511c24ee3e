import type { Board } from '../domain/board.ts';
import type { ApprovalId, Duration, Instant, RunId, WorkerId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Heartbeat } from '../ports/store.ts';

interface LastContact {
  readonly at: Instant;
  /** How long the hall had been awake at that time. */
  readonly awake: Duration;
}

/**
 * When this hall last saw each worker, and how long each run has worked. Nothing here is a
 * deadline: silence counts only the time this hall was awake and listening, so its own restart,
 * pause or a clock jump expires no worker.
 */
export class Liveness {
  readonly #clock: Clock;
  readonly #board: Board;
  readonly #longestNap: Duration;
  readonly #contacts = new Map<WorkerId, LastContact>();
  readonly #worked = new Map<RunId, Duration>();
  readonly #fresh = new Set<WorkerId>();
  readonly #openSince = new Map<ApprovalId, Duration>();
  /** The runs that were working at the last look. */
  #working = new Set<RunId>();
  #awake: Duration = 0;
  #lastLook: Duration;

  constructor({ clock, board, tick }: { clock: Clock; board: Board; tick: Duration }) {
    this.#clock = clock;
    this.#board = board;
    this.#longestNap = 2 * tick;
    this.#lastLook = clock.monotonic();
  }

  /** Restores stored state: when the worker was last seen and how long its run worked. */
  remember({ worker, lastSeen, worked }: Heartbeat): void {
    this.#contacts.set(worker, { at: lastSeen, awake: this.#now() });
    const run = this.#board.runOf.get(worker);
    if (run !== undefined) this.#worked.set(run, worked);
  }

  heartbeat(worker: WorkerId): void {
    this.#contacts.set(worker, { at: this.#clock.now(), awake: this.#now() });
    this.#fresh.add(worker);
  }

  lastSeen(worker: WorkerId): Instant | undefined {
    return this.#contacts.get(worker)?.at;
  }

  worked(run: RunId): Duration {
    return this.#worked.get(run) ?? 0;
  }

  /** Advances the hall's awake time and credits it to the runs that were working. */
  look(isWorking: (run: RunId) => boolean): void {
    const before = this.#awake;
    this.#awake = this.#now();
    this.#lastLook = this.#clock.monotonic();
    const passed = this.#awake - before;
    const working = new Set<RunId>();
    for (const { id, worker } of this.#board.runs.values()) {
      if (!isWorking(id)) continue;
      working.add(id);
      // A run that began since the last look is not charged for the time before it.
      if (this.#working.has(id)) this.#worked.set(id, this.worked(id) + passed);
      if (this.#contacts.has(worker)) this.#fresh.add(worker);
    }
    this.#working = working;
    this.#forget();
  }

  /** True when silent for longer than the lease. A worker never seen counts as seen now. */
  isSilent(worker: WorkerId, lease: Duration): boolean {
    const contact = this.#contacts.get(worker);
    if (contact) return this.#now() - contact.awake > lease;
    this.#contacts.set(worker, { at: this.#clock.now(), awake: this.#now() });
    return false;
  }

  /** The open approvals that this hall has seen waiting for at least `patience`. */
  overdue(open: readonly ApprovalId[], patience: Duration): readonly ApprovalId[] {
    for (const id of this.#openSince.keys()) if (!open.includes(id)) this.#openSince.delete(id);
    for (const id of open) if (!this.#openSince.has(id)) this.#openSince.set(id, this.#now());
    return open.filter((id) => this.#now() - (this.#openSince.get(id) ?? 0) >= patience);
  }

  /** The workers seen since the last call, to be stored with the next commit. */
  takeUnsaved(): readonly Heartbeat[] {
    const savedHeartbeats = [...this.#fresh].map((worker) => this.#heartbeat(worker));
    this.#fresh.clear();
    return savedHeartbeats.filter((heartbeat) => heartbeat !== undefined);
  }

  #heartbeat(worker: WorkerId): Heartbeat | undefined {
    const contact = this.#contacts.get(worker);
    const run = this.#board.runOf.get(worker);
    return (
      contact && { worker, lastSeen: contact.at, worked: run === undefined ? 0 : this.worked(run) }
    );
  }

  /** Counts little of the time in which the hall was stopped and did not look. */
  #now(): Duration {
    return this.#awake + Math.min(this.#clock.monotonic() - this.#lastLook, this.#longestNap);
  }

  #forget(): void {
    for (const id of this.#contacts.keys())
      if (!this.#board.workers.has(id)) this.#contacts.delete(id);
    for (const id of this.#worked.keys()) if (!this.#board.runs.has(id)) this.#worked.delete(id);
  }
}
