import type { Project as ProjectOut } from '../../api/projects.ts';
import { limitsView } from '../../api/projects.ts';
import type { Board } from '../../domain/board.ts';
import { NO_TALLY, type Project, type Tally } from '../../domain/project.ts';
import { pauseView, timeOf } from './plain.ts';

export function projectView(board: Board, project: Project): ProjectOut {
  const { settings } = project;
  return {
    name: project.name,
    repo: settings.repo,
    max_workers: settings.maxWorkers,
    isolation: settings.isolation,
    merge_policy: settings.mergePolicy,
    default_size: settings.defaultSize,
    max_retries: settings.maxRetries,
    crash_requeues: settings.crashRequeues,
    max_rounds: settings.maxRounds,
    approvers: [...settings.approvers],
    auto_approve: settings.autoApprove,
    budget_usd: settings.budgetUsd,
    sources: settings.sources.map((source) => ({ ...source })),
    base: settings.base,
    setup: [...settings.setup],
    copy: [...settings.copy],
    checks: settings.checks.map((check) => ({ ...check })),
    ci: settings.ci,
    network: [...settings.network],
    limits: limitsView(settings.limits),
    declared: project.declared,
    paused: pauseView(project.paused),
    added_at: timeOf(project.addedAt),
    running: board.runningIn.get(project.name) ?? 0,
    counts: countsOf(board, project.name),
  };
}

export type Counts = ProjectOut['counts'];

/** How many tasks of a project are in each state: the open ones from memory, the others from its tally. */
export function countsOf(board: Board, project: string): Counts {
  const { completed, failed, rejected, cancelled }: Tally = board.tallies.get(project) ?? NO_TALLY;
  const open = (state: keyof Counts) => board.openAs(project, state);
  return {
    proposed: open('proposed'),
    blocked: open('blocked'),
    available: open('available'),
    deferred: open('deferred'),
    claimed: open('claimed'),
    running: open('running'),
    awaiting_approval: open('awaiting_approval'),
    awaiting_input: open('awaiting_input'),
    completed,
    failed,
    rejected,
    cancelled,
  };
}

export function sumOf(all: readonly Counts[]): Counts {
  const sum = { ...NO_COUNTS };
  for (const counts of all) {
    for (const state of Object.keys(sum) as (keyof Counts)[]) sum[state] += counts[state];
  }
  return sum;
}

const NO_COUNTS: Counts = {
  proposed: 0,
  blocked: 0,
  available: 0,
  deferred: 0,
  claimed: 0,
  running: 0,
  awaiting_approval: 0,
  awaiting_input: 0,
  completed: 0,
  failed: 0,
  rejected: 0,
  cancelled: 0,
};
