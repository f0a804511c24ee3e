import type { Recorded } from '../../../src/domain/event.ts';
import type { WorkerId } from '../../../src/domain/ids.ts';
import type { HallNode } from '../hall/node.ts';
import { TIMES } from '../hall/times.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

/** The liveness of workers in one term, counted in the time its node was awake. */
interface Term {
  readonly since: number;
  readonly heard: Map<WorkerId, Contact>;
}

interface Contact {
  readonly awake: number;
  /** How often the node had been stopped by then. */
  readonly stops: number;
}

/** After a stop the hall cannot know how long it slept, so it may count this much of it. */
const NAP = 2 * TIMES.tick;
/** A look comes every tick, may fail, and its commit may take long. */
const LATEST = TIMES.lease + 6 * TIMES.tick + 30_000;

/**
 * No worker is expired that the leading node heard within a lease of its own waking time, whatever
 * its pauses, restarts and clocks; and every one that it did not hear is expired soon after.
 */
export class Silence {
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #terms = new WeakMap<object, Term>();

  constructor(world: World, ledger: Ledger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  hear(node: HallNode, worker: WorkerId): void {
    this.#termOf(node)?.heard.set(worker, this.#contact(node));
  }

  /** Looks at an event as it is decided. */
  read(node: HallNode, { event, cause }: Recorded): void {
    if (event.type === 'WorkerRegistered') this.hear(node, event.worker.id);
    if (event.type !== 'WorkerDeregistered' || cause !== 'chore: silence') return;
    const term = this.#termOf(node);
    if (!term) return;
    this.#ledger.count('expired');
    const { awake, stops } = this.#contact(node);
    const last = term.heard.get(event.worker) ?? { awake: term.since, stops: 0 };
    const silent = awake - last.awake + NAP * (stops - last.stops);
    if (silent >= TIMES.lease) return;
    this.#ledger.fail(`worker ${event.worker} is expired ${silent} ms after it was heard`);
  }

  /** A worker that is silent for too long is expired. */
  look(node: HallNode, isWaiting: (worker: WorkerId) => boolean): void {
    const term = this.#termOf(node);
    if (!term) return;
    const { awake } = this.#contact(node);
    for (const worker of this.#ledger.workers.keys()) {
      const last = term.heard.get(worker)?.awake ?? term.since + NAP;
      if (awake - last <= LATEST || isWaiting(worker)) continue;
      this.#ledger.fail(`worker ${worker} is silent for ${awake - last} ms and still there`);
    }
  }

  #contact({ machine }: HallNode): Contact {
    return { awake: machine.awake(this.#world.now), stops: machine.stops };
  }

  /** A term begins a little before it is seen here: it first writes what the file declares. */
  #termOf(node: HallNode): Term | undefined {
    const liveness = node.hall?.leading()?.liveness;
    if (!liveness) return undefined;
    const known = this.#terms.get(liveness);
    if (known) return known;
    const term = { since: this.#contact(node).awake - NAP, heard: new Map() };
    this.#terms.set(liveness, term);
    this.#ledger.terms += 1;
    return term;
  }

  /** Must be called often, so each term is noticed soon after it began. */
  meet(node: HallNode): void {
    this.#termOf(node);
  }
}
