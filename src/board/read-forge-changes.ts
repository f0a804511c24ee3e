import type { Duration, Instant } from '../domain/ids.ts';
import type { ForgeChange, ForgeChanges } from '../ports/forge.ts';

/** Forges tell time in whole seconds: a second change in the same second looks like the first. */
const SAME_SECOND: Duration = 2_000;

/** A list may show a change this much later than it happened. */
const LISTED_WITHIN: Duration = 60_000;

interface Seen {
  readonly updatedAt: Instant;
  /** By the hall's own monotonic clock, since the forge's may be wrong. */
  readonly firstAt: Duration;
  /** A look began late enough to have seen all of it. */
  readonly isRead: boolean;
}

/**
 * Which changes of one repository are still to be looked at. A change is looked at when it is first listed, and
 * once more after its second is over; a sweep in which nothing changed looks at none.
 */
export class RepositoryChanges {
  #since: Instant | null;
  readonly #seen = new Map<number, Seen>();

  constructor(since: Instant | null) {
    this.#since = since;
  }

  get since(): Instant | null {
    return this.#since;
  }

  toLookAt({ changes }: ForgeChanges): readonly ForgeChange[] {
    return changes.filter(({ number, updatedAt }) => {
      const seen = this.#seen.get(number);
      return seen?.updatedAt !== updatedAt || !seen.isRead;
    });
  }

  lookedAt({ number, updatedAt }: ForgeChange, begunAt: Duration): void {
    const seen = this.#seen.get(number);
    const firstAt = seen?.updatedAt === updatedAt ? seen.firstAt : begunAt;
    this.#seen.set(number, { updatedAt, firstAt, isRead: begunAt - firstAt >= SAME_SECOND });
  }

  /** All that was listed has been looked at. The next list starts at what may still change unnoticed. */
  done({ newest }: ForgeChanges, now: Duration): void {
    const unsure = [...this.#seen.values()].filter(
      ({ isRead, firstAt }) => !isRead || now - firstAt < LISTED_WITHIN,
    );
    const next = Math.min(newest ?? 0, ...unsure.map(({ updatedAt }) => updatedAt));
    this.#since = Math.max(this.#since ?? 0, next);
    for (const [number, { updatedAt }] of this.#seen)
      if (updatedAt < this.#since) this.#seen.delete(number);
  }
}
