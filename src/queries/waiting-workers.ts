import type { Hall } from '../board/hall.ts';
import type { Board } from '../domain/board.ts';
import type { Waiting } from '../domain/claiming.ts';
import type { WorkerId } from '../domain/ids.ts';

/**
 * The workers that wait for work, to explain why a task is not running. Only the leader has the
 * long polls; another node assumes that a worker without a run is waiting.
 */
export function waitingWorkers(hall: Hall): Waiting {
  return hall.leading()?.writer.waiters ?? idleWorkers(hall.board);
}

function idleWorkers(board: Board): Waiting {
  const includes = (worker: WorkerId) => !board.runOf.has(worker);
  return {
    includes,
    waits(instance, project) {
      for (const worker of board.workers.values()) {
        if (worker.instance !== instance || worker.draining || !includes(worker.id)) continue;
        if (worker.projects?.includes(project) ?? true) return true;
      }
      return false;
    },
  };
}
