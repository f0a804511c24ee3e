import { isoTime, isoTimeOrNull, type Urls } from '../http/answer.ts';
import type { PushedCommit } from '../state/event.ts';
import type { WorkflowJob, WorkflowRun } from '../state/model.ts';
import { nodeId, showUser } from './show-accounts.ts';
import { progressOf } from './show-checks.ts';
import { showCommitInSuite } from './show-commits.ts';
import { showPullsOf } from './show-pulls.ts';
import { pageUrl, repositoryUrl, showMinimalRepository } from './show-repositories.ts';

export function showWorkflowRun(run: WorkflowRun, commit: PushedCommit, urls: Urls) {
  const { id, repository, workflow, suite } = run;
  const own = repositoryUrl(repository, urls);
  const url = `${own}/actions/runs/${id}`;
  return {
    ...{ id, name: workflow, node_id: nodeId('WorkflowRun', id), head_branch: run.branch },
    ...{ head_sha: run.sha, path: `.github/workflows/${workflow}.yml`, display_title: run.title },
    ...{ run_number: run.number, event: 'push', status: progressOf(run) },
    ...{ conclusion: run.conclusion, workflow_id: 1, check_suite_id: suite?.id ?? 0 },
    check_suite_node_id: nodeId('CheckSuite', suite?.id ?? 0),
    ...{ url, html_url: `${pageUrl(repository, urls)}/actions/runs/${id}` },
    pull_requests: showPullsOf(repository, run.sha, urls),
    created_at: isoTime(run.createdAt),
    updated_at: isoTime(run.updatedAt),
    actor: showUser(run.actor, urls),
    triggering_actor: showUser(run.actor, urls),
    ...{
      run_attempt: run.attempt,
      referenced_workflows: [],
      run_started_at: isoTime(run.createdAt),
    },
    ...{ jobs_url: `${url}/jobs`, logs_url: `${url}/logs`, artifacts_url: `${url}/artifacts` },
    check_suite_url: `${own}/check-suites/${suite?.id ?? 0}`,
    ...{ cancel_url: `${url}/cancel`, rerun_url: `${url}/rerun`, previous_attempt_url: null },
    workflow_url: `${own}/actions/workflows/1`,
    head_commit: showCommitInSuite(commit),
    repository: showMinimalRepository(repository, urls),
    head_repository: showMinimalRepository(repository, urls),
  };
}

export function showWorkflowJob(job: WorkflowJob, urls: Urls) {
  const { id, run, name, checkRun } = job;
  const { repository } = run;
  const own = repositoryUrl(repository, urls);
  return {
    id,
    run_id: run.id,
    workflow_name: run.workflow,
    head_branch: run.branch,
    run_url: `${own}/actions/runs/${run.id}`,
    run_attempt: run.attempt,
    node_id: nodeId('CheckRun', id),
    head_sha: run.sha,
    url: `${own}/actions/jobs/${id}`,
    html_url: `${pageUrl(repository, urls)}/actions/runs/${run.id}/job/${id}`,
    status: progressOf(job),
    conclusion: job.conclusion,
    created_at: isoTime(job.createdAt),
    started_at: isoTime(job.startedAt ?? job.createdAt),
    completed_at: isoTimeOrNull(job.completedAt),
    name,
    steps: [
      {
        name: `Run ${name}`,
        status: progressOf(job),
        conclusion: job.conclusion,
        number: 1,
        started_at: isoTimeOrNull(job.startedAt),
        completed_at: isoTimeOrNull(job.completedAt),
      },
    ],
    check_run_url: `${own}/check-runs/${checkRun?.id ?? 0}`,
    labels: ['ubuntu-latest'],
    runner_id: 1,
    runner_name: 'GitHub Actions 1',
    runner_group_id: 0,
    runner_group_name: 'GitHub Actions',
  };
}
