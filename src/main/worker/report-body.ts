import type { WorkReport } from '../../ports/hall-client.ts';

/** A worker's report in the form of the API. */
export function reportBody(said: WorkReport) {
  switch (said.outcome) {
    case 'rejected': {
      const { reasonCode, message, missing, questions, suggestedSize } = said.rejection;
      const rejection = {
        reason_code: reasonCode,
        message,
        missing: [...missing],
        questions: [...questions],
        suggested_size: suggestedSize,
      };
      return { outcome: said.outcome, rejection };
    }
    case 'quota_exceeded': {
      const resets_at = said.resetsAt === null ? null : new Date(said.resetsAt).toISOString();
      return { outcome: said.outcome, summary: said.summary, resets_at };
    }
    case 'failed':
    case 'max_turns_exceeded': {
      const { outcome, summary, details, branch, commit } = said;
      return { outcome, summary, details, branch, commit };
    }
    default: {
      const { outcome, summary, details, branch, commit, verdict, agent } = said;
      const children = said.children.map(({ ref, title, body, labels, dependsOn }) => ({
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
