import { StoreAway } from '../ports/store.ts';
import type { Hall, Leading } from './hall.ts';

/** This node does not lead, or does not any more; the change is to be made elsewhere. */
export class NotLeading extends Error {
  override readonly name = 'NotLeading';
}

export function leadingOf(hall: Hall): Leading {
  const leading = hall.leading();
  if (!leading) throw new NotLeading('this node does not lead');
  refuseStalled(leading);
  return leading;
}

/** Nobody is helped by joining a line that does not move. */
export function refuseStalled({ writer }: Leading): void {
  const { stalledFor } = writer;
  if (stalledFor < MOST_STALLED) return;
  const seconds = Math.round(stalledFor / 1_000);
  throw new StoreAway(`the database has not answered for ${seconds} s`);
}

const MOST_STALLED = 10_000;
