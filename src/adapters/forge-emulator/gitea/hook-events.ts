const ISSUES = ['issues', 'issue_assign', 'issue_label', 'issue_milestone', 'issue_comment'];

const PULLS = [
  'pull_request',
  'pull_request_assign',
  'pull_request_label',
  'pull_request_milestone',
  'pull_request_comment',
  'pull_request_review',
  'pull_request_review_request',
  'pull_request_sync',
];

const PLAIN = ['create', 'delete', 'fork', 'push', 'repository', 'wiki', 'release', 'package'];
const OF_GITEA = ['status', 'workflow_run', 'workflow_job'];
const OF_FORGEJO = ['action_run_failure', 'action_run_recover', 'action_run_success'];

/** What a hook asks for, as it is stored: `issues` and `pull_request` stand for all of their kind. */
export function normalisedEvents(asked: readonly string[], isForgejo: boolean): string[] {
  const group = (all: readonly string[], whole: string, only: string) =>
    all.filter((name) => {
      if (asked.includes(whole)) return true;
      return name === whole ? asked.includes(only) : asked.includes(name);
    });
  const plain = [...PLAIN, ...(isForgejo ? OF_FORGEJO : OF_GITEA)];
  return [
    ...plain.filter((name) => asked.includes(name)),
    ...group(ISSUES, 'issues', 'issues_only'),
    ...group(PULLS, 'pull_request', 'pull_request_only'),
  ];
}

/** The three kinds of review are asked for by one name. */
export function isHeardByHook(events: readonly string[], type: string): boolean {
  const asked = /^pull_request_review_(approved|rejected|comment)$/.test(type)
    ? 'pull_request_review'
    : type;
  return events.includes(asked);
}
