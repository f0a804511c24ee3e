import type { Board as BoardOut } from '../../api/seeing.ts';
import type { Board } from '../../domain/board.ts';
import type { Instant } from '../../domain/ids.ts';
import { isReviewed, lacksApprovers } from '../../domain/merging/policy.ts';
import { lacksWalls } from '../../domain/project.ts';
import { pauseView, timeOf } from './plain.ts';
import { type Attendance, workerView } from './pool.ts';
import { countsOf, sumOf } from './project.ts';

/** The whole board at a glance, from what is kept: nothing is counted for it. */
export function boardView(board: Board, at: Instant, attendance: Attendance): BoardOut {
  const projects = [...board.projects.values()].map(({ name, paused, settings }) => ({
    name,
    says: lacksApprovers(settings, isReviewed(board, { name })),
    lacks_walls: lacksWalls(settings),
    paused: pauseView(paused),
    running: board.runningIn.get(name) ?? 0,
    max_workers: settings.maxWorkers,
    open: board.openIn.get(name) ?? 0,
    counts: countsOf(board, name),
  }));
  return {
    at: timeOf(at),
    seq: board.seq,
    hall: { paused: pauseView(board.hall.paused), draining: pauseView(board.hall.draining) },
    projects,
    workers: [...board.workers.values()].map((worker) => workerView(board, worker, attendance)),
    totals: {
      open: board.tasks.size,
      running: board.runs.size,
      workers: board.workers.size,
      counts: sumOf(projects.map(({ counts }) => counts)),
    },
  };
}
