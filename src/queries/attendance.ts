import type { Hall } from '../board/hall.ts';
import type { Attendance } from './views/pool.ts';
import { waitingIn } from './waiting.ts';

/** The leader hears workers itself; another node knows what was stored with the last commits. */
export async function attendanceIn(hall: Hall): Promise<Attendance> {
  const waiting = waitingIn(hall);
  const isWaiting: Attendance['isWaiting'] = (worker) => waiting.includes(worker);
  const leading = hall.leading();
  if (leading) return { isWaiting, lastSeen: (worker) => leading.signs.lastSeen(worker) };
  const pulses = new Map(
    (await hall.store.heartbeats()).map(({ worker, lastSeen }) => [worker, lastSeen]),
  );
  return { isWaiting, lastSeen: (worker) => pulses.get(worker) };
}
