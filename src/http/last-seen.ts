import type { Hall } from '../board/hall.ts';
import type { LastSeen } from './views/pool.ts';

/** The leader hears workers itself; another node knows what was stored with the last commits. */
export async function lastSeenIn(hall: Hall): Promise<LastSeen> {
  const leading = hall.leading();
  if (leading) return (worker) => leading.signs.lastSeen(worker);
  const pulses = new Map(
    (await hall.store.pulses()).map(({ worker, lastSeen }) => [worker, lastSeen]),
  );
  return (worker) => pulses.get(worker);
}
