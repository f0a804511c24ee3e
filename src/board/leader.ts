import { StoreUnavailable } from '../ports/store.ts';
import type { Hall, LeadingHall } from './hall.ts';

/** This node does not lead, or does not any more; the change is to be made elsewhere. */
export class NotLeading extends Error {
  override readonly name = 'NotLeading';
}

export function requireLeading(hall: Hall): LeadingHall {
  const leading = hall.leading();
  if (!leading) throw new NotLeading('this node does not lead');
  requireResponsiveStore(leading);
  return leading;
}

/** Nobody is helped by joining a line that does not move. */
export function requireResponsiveStore({ writer }: LeadingHall): void {
  const { stalledFor } = writer;
  if (stalledFor < MAX_STALLED) return;
  const seconds = Math.round(stalledFor / 1_000);
  throw new StoreUnavailable(`the database has not answered for ${seconds} s`);
}

const MAX_STALLED = 10_000;
