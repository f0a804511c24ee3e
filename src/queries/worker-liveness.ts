import type { Hall } from '../board/hall.ts';
import type { WorkerLiveness } from './views/pool.ts';
import { waitingWorkers } from './waiting-workers.ts';

/** The leader sees heartbeats itself; another node reads those stored with the last commits. */
export async function workerLiveness(hall: Hall): Promise<WorkerLiveness> {
  const waiting = waitingWorkers(hall);
  const isWaiting: WorkerLiveness['isWaiting'] = (worker) => waiting.includes(worker);
  const leading = hall.leading();
  if (leading) return { isWaiting, lastSeen: (worker) => leading.liveness.lastSeen(worker) };
  const savedHeartbeats = new Map(
    (await hall.store.heartbeats()).map(({ worker, lastSeen }) => [worker, lastSeen]),
  );
  return { isWaiting, lastSeen: (worker) => savedHeartbeats.get(worker) };
}
