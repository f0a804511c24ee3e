import type { Duration } from '../domain/ids.ts';
import { StoreUnavailable } from '../ports/store.ts';
import type { Hall, LeadingHall } from './hall.ts';

/** This node is not, or no longer, the leader; another node has to make the change. */
export class NotLeading extends Error {
  override readonly name = 'NotLeading';
}

export function requireLeading(hall: Hall): LeadingHall {
  const leading = hall.leading();
  if (!leading) throw new NotLeading('this node is not the leader');
  requireResponsiveStore(leading);
  return leading;
}

/** Queueing behind a stalled store helps no caller. */
export function requireResponsiveStore({ writer, cutOffFor }: LeadingHall): void {
  const { stalledFor } = writer;
  const silent = Math.max(cutOffFor(), stalledFor < MAX_STALLED ? 0 : stalledFor);
  if (silent > 0) throw storeSilent(silent);
}

export function storeSilent(silent: Duration): StoreUnavailable {
  return new StoreUnavailable(`the database has not answered for ${Math.round(silent / 1_000)} s`);
}

const MAX_STALLED = 10_000;
