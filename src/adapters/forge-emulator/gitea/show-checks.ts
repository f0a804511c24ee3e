import { isoTime, type Urls } from '../http/answer.ts';
import { latestStatuses } from '../state/checks.ts';
import type { Repository, Status, WorkflowJob, WorkflowRun } from '../state/model.ts';
import { NEVER, showUser, showUserOrNull } from './show-accounts.ts';
import { pageUrl, repositoryUrl, showRepository } from './show-repositories.ts';

/** The state is called `status` here, and `state` in hooks and in the combined one. */
export function showStatus(repository: Repository, status: Status, urls: Urls) {
  const at = isoTime(status.createdAt);
  return {
    id: status.id,
    status: status.state,
    target_url: status.targetUrl,
    description: status.description,
    url: `${repositoryUrl(repository, urls)}/statuses/${status.sha}`,
    context: status.context,
    creator: showUserOrNull(status.creator, urls),
    created_at: at,
    updated_at: at,
  };
}

/** Pending also where there is none. */
export function showCombinedStatus(repository: Repository, sha: string, urls: Urls) {
  const statuses = latestStatuses(repository, sha);
  const url = `${repositoryUrl(repository, urls)}/commits/${sha}`;
  return {
    state: combined(statuses.map(({ state }) => state)),
    sha,
    total_count: statuses.length,
    statuses:
      statuses.length === 0 ? null : statuses.map((status) => showStatus(repository, status, urls)),
    repository: showRepository(repository, urls),
    commit_url: url,
    url: `${url}/status`,
  };
}

function combined(states: readonly string[]): string {
  if (states.some((state) => state === 'failure' || state === 'error')) return 'failure';
  return states.length > 0 && states.every((state) => state === 'success') ? 'success' : 'pending';
}

function timeOr(at: number | null): string {
  return at === null ? NEVER : isoTime(at);
}

function progressOf({ isStarted, conclusion }: Pick<WorkflowRun, 'isStarted' | 'conclusion'>) {
  if (conclusion !== null) return 'completed';
  return isStarted ? 'in_progress' : 'queued';
}

/** The attempt of a run stays 0; that of its jobs counts. */
export function showRun(run: WorkflowRun, urls: Urls) {
  const { id, repository, conclusion } = run;
  const started = run.jobs.map(({ startedAt }) => startedAt).find((at) => at !== null) ?? null;
  return {
    id,
    url: `${repositoryUrl(repository, urls)}/actions/runs/${id}`,
    html_url: `${pageUrl(repository, urls)}/actions/runs/${id}`,
    display_title: run.title,
    path: `${run.workflow}.yml@refs/heads/${run.branch}`,
    event: 'push',
    run_attempt: 0,
    run_number: run.number,
    head_sha: run.sha,
    head_branch: run.branch,
    status: progressOf(run),
    actor: showUser(run.actor, urls),
    trigger_actor: showUser(run.actor, urls),
    repository: showRepository(repository, urls),
    ...(conclusion === null ? {} : { conclusion }),
    started_at: run.isStarted ? timeOr(started) : NEVER,
    completed_at: conclusion === null ? NEVER : isoTime(run.updatedAt),
  };
}

export function showJob(job: WorkflowJob, urls: Urls) {
  const { id, run, conclusion } = job;
  const { repository } = run;
  const times = { started_at: timeOr(job.startedAt), completed_at: timeOr(job.completedAt) };
  const result = { status: progressOf(job), ...(conclusion === null ? {} : { conclusion }) };
  const step = { name: `Run ${job.name}`, number: 0, ...result, ...times };
  return {
    id,
    url: `${repositoryUrl(repository, urls)}/actions/jobs/${id}`,
    html_url: `${pageUrl(repository, urls)}/actions/runs/${run.id}/jobs/${id}`,
    run_id: run.id,
    run_url: `${repositoryUrl(repository, urls)}/actions/runs/${run.id}`,
    name: job.name,
    labels: ['host'],
    run_attempt: job.isStarted ? run.attempt : run.attempt - 1,
    head_sha: run.sha,
    head_branch: run.branch,
    ...result,
    ...(job.isStarted ? { runner_id: 1, runner_name: 'r1' } : {}),
    steps: job.isStarted ? [step] : [],
    created_at: isoTime(job.createdAt),
    ...times,
  };
}

/** Forgejo has other words for the same run, and none for its jobs. */
export function showForgejoRun(run: WorkflowRun, urls: Urls) {
  const { id, repository, conclusion } = run;
  const waiting = run.isStarted ? 'running' : 'waiting';
  return {
    id,
    title: run.title,
    repository: showRepository(repository, urls),
    workflow_id: `${run.workflow}.yml`,
    index_in_repo: run.number,
    trigger_user: showUser(run.actor, urls),
    ScheduleID: 0,
    prettyref: run.branch,
    is_ref_deleted: !repository.branches.has(run.branch),
    commit_sha: run.sha,
    ...{ is_fork_pull_request: false, need_approval: false, approved_by: 0 },
    ...{ event: 'push', event_payload: '', trigger_event: 'push' },
    status: conclusion ?? waiting,
    started: isoTime(run.createdAt),
    stopped: conclusion === null ? NEVER : isoTime(run.updatedAt),
    created: isoTime(run.createdAt),
    updated: isoTime(run.updatedAt),
    html_url: `${pageUrl(repository, urls)}/actions/runs/${run.number}`,
  };
}

/** The list that all versions of both forges have: one line for each job. */
export function showTask(job: WorkflowJob, urls: Urls) {
  const { id, run, conclusion } = job;
  const waiting = job.isStarted ? 'running' : 'waiting';
  return {
    id,
    name: job.name,
    head_branch: run.branch,
    head_sha: run.sha,
    run_number: run.number,
    event: 'push',
    display_title: run.title,
    status: conclusion ?? waiting,
    workflow_id: `${run.workflow}.yml`,
    url: `${pageUrl(run.repository, urls)}/actions/runs/${run.number}`,
    created_at: isoTime(job.createdAt),
    updated_at: timeOr(job.completedAt ?? job.startedAt),
    run_started_at: timeOr(job.startedAt),
  };
}
