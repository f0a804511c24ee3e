import type { Duration, Instant } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';

/** What came of a delivery that the hall asked a forge for. */
type Arrival = 'genuine' | 'wrong_signature' | 'nothing';

interface Waiting {
  readonly repo: string;
  readonly forge: string;
  readonly settle: (arrival: Arrival) => void;
}

/** Which repositories sent deliveries since this node started, and when. */
export class ForgeDeliveries {
  readonly #clock: Clock;
  readonly #lastAt = new Map<string, Instant>();
  readonly #waiting = new Set<Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A delivery with a right signature came. */
  received(repo: string): void {
    this.#lastAt.set(keyOf(repo), this.#clock.now());
    this.#settle(({ repo: wanted }) => keyOf(wanted) === keyOf(repo), 'genuine');
  }

  /** One came whose sender does not know the secret, so what it is about is not known. */
  refused(forge: string): void {
    this.#settle((waiting) => waiting.forge === forge, 'wrong_signature');
  }

  lastOf(repo: string): Instant | null {
    return this.#lastAt.get(keyOf(repo)) ?? null;
  }

  /** The next delivery about a repository. Called before the forge is asked for it, so that none is missed. */
  next(repo: string, within: Duration): Promise<Arrival> {
    const { promise, resolve } = Promise.withResolvers<Arrival>();
    const timer = this.#clock.after(within, () => waiting.settle('nothing'));
    const waiting: Waiting = {
      repo,
      forge: repo.slice(0, repo.indexOf(':')),
      settle: (arrival) => {
        timer.cancel();
        this.#waiting.delete(waiting);
        resolve(arrival);
      },
    };
    this.#waiting.add(waiting);
    return promise;
  }

  #settle(isMeant: (waiting: Waiting) => boolean, arrival: Arrival): void {
    for (const waiting of [...this.#waiting].filter(isMeant)) waiting.settle(arrival);
  }
}

/** Forges compare names without case. */
function keyOf(repo: string): string {
  return repo.toLowerCase();
}
