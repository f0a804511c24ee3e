import type { Board as BoardOut } from '../../api/overview.ts';
import type { Board } from '../../domain/board.ts';
import type { Instant } from '../../domain/ids.ts';
import { isReviewed, lacksApprovers } from '../../domain/merging/policy.ts';
import { type AgentType, gateWarning, secretsWarning } from '../../domain/pool.ts';
import { isolationWarning } from '../../domain/project.ts';
import { typesUsedIn } from '../../domain/routing.ts';
import { type UnableInstance, unableText } from '../../domain/staffing.ts';
import { pauseView, timeOf } from './ids-and-times.ts';
import { type WorkerLiveness, workerView } from './pool.ts';
import { countsOf, sumOf } from './project.ts';
import { boardSources } from './source.ts';

type Figures = Omit<BoardOut, 'needs_person' | 'needs_person_more' | 'parents' | 'tasks'>;

/** What is not on the board: the machines of the workers and of the hall. */
interface ReadPosition {
  readonly liveness: WorkerLiveness;
  readonly unable: readonly UnableInstance[];
}

/** The figures of the whole board from maintained counts: nothing is counted here. */
export function figuresView(
  board: Board,
  at: Instant,
  { liveness, unable }: ReadPosition,
): Figures {
  const projects = [...board.projects.values()].map(({ name, paused, settings }) => ({
    name,
    says: lacksApprovers(settings, isReviewed(board, { name })),
    missing_isolation: isolationWarning(settings),
    cannot_start: cannotStart(unable, name),
    exposed_secrets: exposedSecrets(typesUsedIn(board, name)),
    missing_gate: gateWarning(typesUsedIn(board, name)),
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
    sources: boardSources(board),
    workers: [...board.workers.values()].map((worker) => workerView(board, worker, liveness)),
    totals: {
      open: board.tasks.size,
      running: board.runs.size,
      workers: board.workers.size,
      counts: sumOf(projects.map(({ counts }) => counts)),
    },
  };
}

function cannotStart(unable: readonly UnableInstance[], project: string): string | null {
  const here = unableText(unable.filter((each) => each.project === project));
  return here.length === 0 ? null : here.join('; ');
}

function exposedSecrets(types: readonly AgentType[]): string[] {
  return types.flatMap(({ name, settings }) => {
    const warning = secretsWarning(settings);
    return warning === null ? [] : [`type ${name}: ${warning}`];
  });
}
