import { settingsView } from '../../api/convert-settings.ts';
import { perState } from '../../api/fields.ts';
import type { Project as ProjectOut } from '../../api/projects.ts';
import type { Board } from '../../domain/board.ts';
import { NO_TALLY, type Project, type Tally } from '../../domain/project.ts';
import { isClosedState } from '../../domain/task.ts';
import { pauseView, timeOf } from './ids-and-times.ts';

export function projectView(board: Board, project: Project): ProjectOut {
  return {
    name: project.name,
    ...settingsView(project.settings),
    declared: project.declared,
    paused: pauseView(project.paused),
    added_at: timeOf(project.addedAt),
    running: board.runningIn.get(project.name) ?? 0,
    counts: countsOf(board, project.name),
  };
}

type Counts = ProjectOut['counts'];

/** Tasks of a project per state: open ones counted in memory, the others taken from its tally. */
export function countsOf(board: Board, project: string): Counts {
  const tally: Tally = board.tallies.get(project) ?? NO_TALLY;
  return perState((state) => (isClosedState(state) ? tally[state] : board.openAs(project, state)));
}

export function sumOf(all: readonly Counts[]): Counts {
  const sum = perState(() => 0);
  for (const counts of all) {
    for (const state of Object.keys(sum) as (keyof Counts)[]) sum[state] += counts[state];
  }
  return sum;
}
