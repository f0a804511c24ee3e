import type { WorkReport } from '../../ports/hall-client.ts';

/** A worker's report in the form of the API. */
export function reportBody(report: WorkReport) {
  switch (report.outcome) {
    case 'rejected': {
      const { reasonCode, message, missing, questions, suggestedSize } = report.rejection;
      const rejection = {
        reason_code: reasonCode,
        message,
        missing: [...missing],
        questions: [...questions],
        suggested_size: suggestedSize,
      };
      return { outcome: report.outcome, rejection };
    }
    case 'quota_exceeded': {
      const resets_at = report.resetsAt === null ? null : new Date(report.resetsAt).toISOString();
      return { outcome: report.outcome, summary: report.summary, resets_at };
    }
    case 'failed':
    case 'max_turns_exceeded': {
      const { outcome, summary, details, branch, commit } = report;
      return { outcome, summary, details, branch, commit };
    }
    default: {
      const { outcome, summary, details, branch, commit, verdict, agent } = report;
      const children = report.children.map(({ ref, title, body, labels, dependsOn }) => ({
        ref,
        title,
        body,
        labels: [...labels],
        depends_on: [...dependsOn],
      }));
      return { outcome, summary, details, branch, commit, verdict, agent, children };
    }
  }
}
