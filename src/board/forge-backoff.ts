import type { Duration } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { ForgeFailed } from '../ports/forge.ts';

const FIRST_WAIT: Duration = 1_000;
const LONGEST_WAIT: Duration = 5 * 60_000;

interface Subject {
  /** The name of the forge. */
  readonly forge: string;
  /** The repository, or the issue or thread in it. */
  readonly about: string;
}

interface Failing {
  readonly because: string;
  readonly wait: Duration;
  readonly until: Duration;
}

/**
 * Delays the next call to a forge that failed, twice as long each time, or as long as it asked for. Where the
 * forge works but refused one thing for good, such as a repository that was renamed, only that one waits.
 */
export class ForgeBackoff {
  readonly #clock: Clock;
  readonly #failing = new Map<string, Failing>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  mayTry(subject: Subject): boolean {
    const now = this.#clock.monotonic();
    return keysOf(subject).every((key) => (this.#failing.get(key)?.until ?? 0) <= now);
  }

  failed(subject: Subject, { message, waitFor, retry }: ForgeFailed): void {
    const key = retry === 'never' ? `${subject.forge} ${subject.about}` : subject.forge;
    const last = this.#failing.get(key)?.wait ?? FIRST_WAIT / 2;
    const wait = Math.min(last * 2, LONGEST_WAIT);
    const until = this.#clock.monotonic() + Math.max(wait, waitFor ?? 0);
    this.#failing.set(key, { because: message, wait, until });
  }

  worked(subject: Subject): void {
    for (const key of keysOf(subject)) this.#failing.delete(key);
  }

  /** For people: why the forge does not do something about a subject; null when it does. */
  failureOf(subject: Subject): string | null {
    const [found] = keysOf(subject).flatMap((key) => this.#failing.get(key) ?? []);
    return found?.because ?? null;
  }

  /** For people: why the forge does not do something, whatever it is about. */
  anyFailureOf(forge: string): string | null {
    const [found] = [...this.#failing].filter(([key]) => key.split(' ', 1)[0] === forge);
    return found?.[1].because ?? null;
  }
}

function keysOf({ forge, about }: Subject): readonly string[] {
  return [forge, `${forge} ${about}`];
}
