import { decide } from '../domain/decision.ts';
import type { Duration, WorkerId } from '../domain/ids.ts';
import { loseWorker } from '../domain/lost-worker.ts';
import { byChore } from './chore.ts';
import type { Liveness } from './liveness.ts';
import type { Writer } from './writer.ts';

interface Needs {
  readonly writer: Writer;
  readonly liveness: Liveness;
  readonly times: { readonly lease: Duration };
}

/** Takes the tasks of workers that were silent for longer than the lease and requeues or fails them. */
export function expireLeases(needs: Needs): Promise<unknown> {
  const { writer, times } = needs;
  const because = `silent for ${Math.round(times.lease / 1000)} s`;
  const silent = [...writer.board.workers.keys()].filter((worker) => isSilent(needs, worker));
  return Promise.all(
    silent.map((worker) =>
      writer.change({
        meta: byChore('silence'),
        decide: (board, now) =>
          isSilent(needs, worker) ? loseWorker(board, worker, because, now) : SPOKE_UP,
      }),
    ),
  );
}

/** The worker was seen between the look and the decision. */
const SPOKE_UP = decide<WorkerId>(0 as WorkerId, []);

/** A worker with an open long poll is alive, however long it waits. */
function isSilent({ writer, liveness, times }: Needs, id: WorkerId): boolean {
  return liveness.isSilent(id, times.lease) && !writer.waiters.includes(id);
}
