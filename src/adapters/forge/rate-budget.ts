import { ForgeFailed } from '../../ports/forge.ts';

/** Calls kept back for what people wait for, out of the usual five thousand an hour. */
const RESERVE = 50;

/** How many calls the forge still allows, as its last answer said. */
export class RateBudget {
  readonly #now: () => number;
  #limit: number | null = null;
  #remaining: number | null = null;
  #resetsAt: number | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(headers: Headers): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((word) =>
      numberIn(headers.get(`x-ratelimit-${word}`)),
    );
    if (remaining === undefined || remaining === null) return;
    this.#limit = limit ?? null;
    this.#remaining = remaining;
    this.#resetsAt = reset == null ? null : reset * 1_000;
  }

  /** Throws while the budget is spent, instead of being refused by the forge. */
  require(name: string): void {
    if (this.#remaining === null || this.#remaining > Math.min(RESERVE, (this.#limit ?? 0) / 10))
      return;
    const wait = this.untilReset();
    if (wait === null || wait <= 0) return;
    const seconds = Math.ceil(wait / 1_000);
    throw new ForgeFailed(`the call budget of ${name} is used up for ${seconds} s`, {
      retry: 'later',
      waitFor: wait,
    });
  }

  untilReset(): number | null {
    return this.#resetsAt === null ? null : Math.max(0, this.#resetsAt - this.#now());
  }

  shown(): { readonly limit: number; readonly remaining: number } | null {
    if (this.#limit === null || this.#remaining === null) return null;
    return { limit: this.#limit, remaining: this.#remaining };
  }
}

function numberIn(header: string | null): number | null {
  const number = Number(header ?? Number.NaN);
  return Number.isFinite(number) ? number : null;
}
