import type { Board } from './board.ts';
import { dependencyRule, hallRule, projectRule, stateRule } from './claim-rules.ts';
import type { Instant } from './ids.ts';
import { explain, type Reason } from './reason.ts';
import { refuse } from './refusal.ts';
import { isHeld, type Task } from './task.ts';
import type { Thread } from './thread.ts';
import { threadRule } from './thread-queue.ts';
import { type EligibleView, eligibleViews, type Workforce, whyUnclaimed } from './why-unclaimed.ts';

export interface Why {
  readonly state: Task['state']['is'];
  readonly since: Instant;
  /** True when a worker that asks now could get it. */
  readonly claimable: boolean;
  readonly reasons: readonly Reason[];
  /** Tasks that the same kind of worker would take first. */
  readonly ahead: number;
  readonly takers: readonly EligibleView[];
}

/** Why a task is not running: every rule that refuses, by the same rules that decide a claim. */
export function why(board: Board, task: Task, thread: Thread, workforce: Workforce): Why {
  const project = board.projects.get(task.project);
  const refusals = [
    stateRule(board, task, thread),
    isHeld(task.state) ? undefined : dependencyRule(board, task, thread),
    isHeld(task.state) ? undefined : threadRule(board, task, thread),
    hallRule(board),
    project
      ? projectRule(board, project)
      : refuse('unknown_project', `there is no project ${task.project}`),
  ].filter((refusal) => refusal !== undefined);
  const takers = eligibleViews(board, task, thread, workforce);
  const ownReasons = refusals.map((refusal) => explain(board, task, refusal));
  const reasons = isHeld(task.state)
    ? ownReasons.slice(0, 1)
    : [...ownReasons, ...whyUnclaimed(board, task, takers)];
  return {
    state: task.state.is,
    since: task.state.since,
    claimable: reasons.length === 0,
    reasons,
    ahead: ahead(board, task, thread),
    takers,
  };
}

function ahead(board: Board, task: Task, thread: Thread): number {
  let count = 0;
  for (const { route, waiting } of board.ready.bucketsOf(task.project)) {
    if (route.type === task.type) count += waiting.rank(thread.id, task.id);
  }
  return count;
}
