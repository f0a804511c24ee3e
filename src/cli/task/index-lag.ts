import type { OperationResult } from '../../api/operation.ts';
import type { Output } from '../output.ts';

/** How far a search saw; null for a list that is no search. */
export type SearchReach = OperationResult<'listTasks'>['search'];

/** Tells a person that the newest changes may be missing; with --json, `search` shows it. */
export function reportIndexLag(reach: SearchReach, out: Output): void {
  const lag = indexLag(reach);
  if (lag !== null && !out.json) out.say(out.colours.dim(lag));
}

export function indexLag(reach: SearchReach): string | null {
  if (!reach || reach.indexed_to >= reach.log_end) return null;
  return `searched up to event ${reach.indexed_to} of ${reach.log_end}; search again for later changes`;
}
