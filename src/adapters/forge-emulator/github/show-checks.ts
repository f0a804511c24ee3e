import { isoTime, isoTimeOrNull, type Urls } from '../http/answer.ts';
import { conclusionOf, latestRuns, latestStatuses } from '../state/checks.ts';
import type { PushedCommit } from '../state/event.ts';
import type { CheckRun, CheckSuite, Repository, Status } from '../state/model.ts';
import { nodeId, showUser } from './show-accounts.ts';
import { showApp } from './show-apps.ts';
import { showCommitInSuite } from './show-commits.ts';
import { showPullsOf } from './show-pulls.ts';
import { pageUrl, repositoryUrl, showMinimalRepository } from './show-repositories.ts';

export function showCheckRun(run: CheckRun, urls: Urls) {
  const { id, suite, output } = run;
  const { repository, sha } = suite;
  const url = `${repositoryUrl(repository, urls)}/check-runs/${id}`;
  const page = pageOfRun(run, urls);
  return {
    id,
    name: run.name,
    node_id: nodeId('CheckRun', id),
    head_sha: sha,
    external_id: run.externalId,
    url,
    html_url: page,
    details_url: run.detailsUrl ?? page,
    status: progressOf(run),
    conclusion: run.conclusion,
    started_at: isoTimeOrNull(run.startedAt),
    completed_at: isoTimeOrNull(run.completedAt),
    output: {
      title: output.title,
      summary: output.summary,
      text: output.text,
      annotations_count: output.annotations,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: suite.id },
    app: showApp(suite.app, urls),
    pull_requests: showPullsOf(repository, sha, urls),
  };
}

/** A job of Actions is shown below its workflow run. */
function pageOfRun(run: CheckRun, urls: Urls): string {
  const { repository } = run.suite;
  const job = repository.workflowRuns
    .flatMap(({ jobs }) => jobs)
    .find(({ checkRun }) => checkRun === run);
  const page = pageUrl(repository, urls);
  return job ? `${page}/actions/runs/${job.run.id}/job/${job.id}` : `${page}/runs/${run.id}`;
}

export function progressOf({
  isStarted,
  conclusion,
}: Pick<CheckRun, 'isStarted' | 'conclusion'>): string {
  if (conclusion !== null) return 'completed';
  return isStarted ? 'in_progress' : 'queued';
}

export function showSuite(suite: CheckSuite, commit: PushedCommit, urls: Urls) {
  const { id, repository, sha, branch } = suite;
  const conclusion = conclusionOf(suite);
  const runs = latestRuns(repository, sha).filter((run) => run.suite === suite);
  const last = Math.max(suite.createdAt, ...runs.map(({ completedAt }) => completedAt ?? 0));
  const url = `${repositoryUrl(repository, urls)}/check-suites/${id}`;
  return {
    id,
    node_id: nodeId('CheckSuite', id),
    head_branch: branch === '' ? null : branch,
    head_sha: sha,
    status: progressOf({ isStarted: runs.length > 0, conclusion }),
    conclusion,
    url,
    before: null,
    after: sha,
    pull_requests: showPullsOf(repository, sha, urls),
    app: showApp(suite.app, urls),
    repository: showMinimalRepository(repository, urls),
    created_at: isoTime(suite.createdAt),
    updated_at: isoTime(last),
    head_commit: showCommitInSuite(commit),
    latest_check_runs_count: runs.length,
    check_runs_url: `${url}/check-runs`,
  };
}

export function showStatus(repository: Repository, status: Status, urls: Urls) {
  const creator = status.creator ?? repository.owner;
  return {
    ...showStatusInCommit(repository, status, urls),
    creator: showUser(creator, urls),
  };
}

function showStatusInCommit(repository: Repository, status: Status, { web, api }: Urls) {
  const at = isoTime(status.createdAt);
  return {
    url: `${repositoryUrl(repository, { web, api })}/statuses/${status.sha}`,
    avatar_url: status.creator && `${web}/avatars/${status.creator.id}`,
    id: status.id,
    node_id: nodeId('StatusContext', status.id),
    state: status.state,
    description: status.description === '' ? null : status.description,
    target_url: status.targetUrl === '' ? null : status.targetUrl,
    context: status.context,
    created_at: at,
    updated_at: at,
  };
}

/** Pending where there is none, as GitHub has it: it does not mean that something runs. */
export function showCombinedStatus(repository: Repository, sha: string, urls: Urls) {
  const statuses = latestStatuses(repository, sha);
  const url = `${repositoryUrl(repository, urls)}/commits/${sha}`;
  return {
    state: combined(statuses.map(({ state }) => state)),
    statuses: statuses.map((status) => showStatusInCommit(repository, status, urls)),
    sha,
    total_count: statuses.length,
    repository: showMinimalRepository(repository, urls),
    commit_url: url,
    url: `${url}/status`,
  };
}

function combined(states: readonly string[]): string {
  if (states.some((state) => state === 'failure' || state === 'error')) return 'failure';
  return states.length > 0 && states.every((state) => state === 'success') ? 'success' : 'pending';
}
