import type { Instant } from '../domain/ids.ts';
import type { Hall } from './hall.ts';

/** When the look at an issue began, by its key, while it lasts. It is lost with the process, as the look is. */
type LooksUnderWay = Map<string, Instant>;

const OF_HALLS = new WeakMap<Hall, LooksUnderWay>();

export function looksUnderWay(hall: Hall): LooksUnderWay {
  const known = OF_HALLS.get(hall) ?? new Map<string, Instant>();
  OF_HALLS.set(hall, known);
  return known;
}
