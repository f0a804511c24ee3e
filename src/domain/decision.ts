import type { HallEvent } from './event.ts';
import type { Instant } from './ids.ts';
import type { Refusal } from './refusal.ts';

export interface Now {
  readonly at: Instant;
  /** Who makes the change: `operator:ada`, `worker:w-3`, `hall`. */
  readonly actor: string;
}

/**
 * The result of a command. Deciding is synchronous, so nothing can come between a check and its
 * effect. A refusal has no events.
 */
export interface Decision<A> {
  readonly events: readonly HallEvent[];
  readonly answer: A | Refusal;
}

export function decide<A>(answer: A, events: readonly HallEvent[]): Decision<A> {
  return { events, answer };
}

export function refuseWith<A>(refusal: Refusal): Decision<A> {
  return { events: [], answer: refusal };
}
