import { isDone, type Outcome, type ReportRun } from '../../api/runs.ts';
import { parseDependency } from '../../domain/dependencies/look-up.ts';
import type { Duration, Instant } from '../../domain/ids.ts';
import type { Child, Report } from '../../domain/reporting.ts';
import type { TaskState } from '../../domain/task.ts';

/** How long a task is deferred when the report does not say when the quota resets. */
const REST: Duration = 60 * 60_000;

/** Converts a worker's report to the board's terms. */
export function reportFrom(said: ReportRun, now: Instant): Report {
  const { outcome, summary, branch, commit, pr, details, verdict } = said;
  const result = { summary, branch, commit, pr, details, ...(verdict && { verdict }) };
  if (isDone(outcome)) {
    const reroute = said.agent === null ? {} : { reroute: said.agent };
    return {
      how: 'completed',
      outcome,
      result,
      children: said.children.map(childFrom),
      ...reroute,
    };
  }
  if (outcome === 'quota_exceeded') {
    const until = said.resets_at === null ? now + REST : Date.parse(said.resets_at);
    return { how: 'deferred', until, why: summary || "the model's quota is used up" };
  }
  if (said.rejection !== null && outcome === 'rejected') {
    const { reason_code, message, missing, questions, suggested_size } = said.rejection;
    const rejection = { message, missing, questions, reasonCode: reason_code };
    return { how: 'rejected', rejection: { ...rejection, suggestedSize: suggested_size } };
  }
  return { how: 'failed', reason: outcome === 'max_turns_exceeded' ? outcome : 'failed', result };
}

function childFrom(asked: ReportRun['children'][number]): Child {
  const { depends_on, ...rest } = asked;
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
