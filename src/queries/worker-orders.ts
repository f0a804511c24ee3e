import type { HeartbeatResponse } from '../api/workers.ts';
import type { Board } from '../domain/board.ts';
import type { RunId, WorkerId } from '../domain/ids.ts';
import { runIn, runName } from './views/ids-and-times.ts';

/** Whether a worker may continue the run it believes it has. */
export function ordersFor(
  board: Board,
  id: WorkerId,
  heartbeat: { readonly run?: string | undefined; readonly fence?: number | undefined },
): HeartbeatResponse {
  const current = board.runs.get(board.runOf.get(id) ?? NO_RUN);
  const run = current ? runName(current.id) : null;
  if (heartbeat.run !== undefined && current?.id !== runIn(heartbeat.run)) {
    return {
      orders: 'stop',
      run,
      reason: `${heartbeat.run} has ended or its task was given to another worker`,
    };
  }
  if (heartbeat.fence !== undefined && current?.fence !== heartbeat.fence) {
    return { orders: 'stop', run, reason: `fence ${heartbeat.fence} is outdated` };
  }
  if (board.workers.get(id)?.draining) {
    return { orders: 'drain', run, reason: 'the worker is draining' };
  }
  if (board.hall.draining) return { orders: 'drain', run, reason: 'the hall is draining' };
  return { orders: 'continue', run, reason: null };
}

const NO_RUN = 0 as RunId;
