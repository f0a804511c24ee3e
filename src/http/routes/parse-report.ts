import { isDone, type Outcome, type ReportRun } from '../../api/runs.ts';
import { parseDependency } from '../../domain/dependencies/look-up.ts';
import type { Duration, Instant } from '../../domain/ids.ts';
import type { Child, Report } from '../../domain/reporting.ts';
import type { TaskState } from '../../domain/task.ts';

/** How long a task is deferred when the report does not say when the quota resets. */
const DEFAULT_DEFERRAL: Duration = 60 * 60_000;

/** Converts a worker's report to the board's terms. */
export function reportFrom(reported: ReportRun, now: Instant): Report {
  const { outcome, summary, branch, commit, pr, details, verdict } = reported;
  const result = { summary, branch, commit, pr, details, ...(verdict && { verdict }) };
  if (isDone(outcome)) {
    const reroute = reported.agent === null ? {} : { reroute: reported.agent };
    return {
      how: 'completed',
      outcome,
      result,
      children: reported.children.map(childFrom),
      ...reroute,
    };
  }
  if (outcome === 'quota_exceeded') {
    const until =
      reported.resets_at === null ? now + DEFAULT_DEFERRAL : Date.parse(reported.resets_at);
    return { how: 'deferred', until, why: summary || "the model's quota is used up" };
  }
  if (reported.rejection !== null && outcome === 'rejected') {
    const { reason_code, message, missing, questions, suggested_size } = reported.rejection;
    const rejection = { message, missing, questions, reasonCode: reason_code };
    return { how: 'rejected', rejection: { ...rejection, suggestedSize: suggested_size } };
  }
  return { how: 'failed', reason: outcome === 'max_turns_exceeded' ? outcome : 'failed', result };
}

function childFrom(child: ReportRun['children'][number]): Child {
  const { depends_on, ...rest } = child;
  return { ...rest, dependsOn: depends_on.map(parseDependency) };
}

/** The task state that follows each outcome. */
export const STATE_AFTER = {
  completed: 'completed',
  pr_created: 'completed',
  comment_posted: 'completed',
  rerouted: 'completed',
  failed: 'failed',
  max_turns_exceeded: 'failed',
  quota_exceeded: 'deferred',
  rejected: 'rejected',
} as const satisfies Record<Outcome, TaskState['is']>;
