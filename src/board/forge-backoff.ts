import type { Duration } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { ForgeFailed } from '../ports/forge.ts';

const FIRST_WAIT: Duration = 1_000;
const LONGEST_WAIT: Duration = 5 * 60_000;

interface Failing {
  readonly because: string;
  readonly wait: Duration;
  readonly until: Duration;
}

/** Delays the next call to a forge that failed, twice as long each time, or as long as it asked for. */
export class ForgeBackoff {
  readonly #clock: Clock;
  readonly #failing = new Map<string, Failing>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  mayTry(forge: string): boolean {
    return (this.#failing.get(forge)?.until ?? 0) <= this.#clock.monotonic();
  }

  failed(forge: string, { message, waitFor }: ForgeFailed): void {
    const last = this.#failing.get(forge)?.wait ?? FIRST_WAIT / 2;
    const wait = Math.min(last * 2, LONGEST_WAIT);
    const until = this.#clock.monotonic() + Math.max(wait, waitFor ?? 0);
    this.#failing.set(forge, { because: message, wait, until });
  }

  worked(forge: string): void {
    this.#failing.delete(forge);
  }

  /** For people: why the forge does not answer; null when it does. */
  failureOf(forge: string): string | null {
    return this.#failing.get(forge)?.because ?? null;
  }
}
