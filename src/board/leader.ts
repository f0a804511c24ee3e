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
export function requireResponsiveStore({ writer }: LeadingHall): void {
  const { stalledFor } = writer;
  if (stalledFor < MAX_STALLED) return;
  const seconds = Math.round(stalledFor / 1_000);
  throw new StoreUnavailable(`the database has not answered for ${seconds} s`);
}

const MAX_STALLED = 10_000;
