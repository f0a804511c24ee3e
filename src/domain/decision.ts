import type { HallEvent } from './event.ts';
import type { Instant } from './ids.ts';
import type { Refusal } from './refusal.ts';

export interface Now {
  readonly at: Instant;
  /** Who asks: `operator:ada`, `worker:w-3`, `hall`. */
  readonly actor: string;
}

/**
 * What follows from a command. It is worked out without waiting, so that nothing can come between a
 * check and its effect; a refusal has no events.
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
