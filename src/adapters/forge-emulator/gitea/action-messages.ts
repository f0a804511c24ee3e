import { isoTime, type Urls } from '../http/answer.ts';
import type { ForgeEvent } from '../state/event.ts';
import type { WorkflowRun } from '../state/model.ts';
import type { GiteaBody } from './messages.ts';
import { showOrganization } from './show-accounts.ts';
import { showForgejoRun, showJob, showRun } from './show-checks.ts';
import { pageUrl, repositoryUrl, showCommit } from './show-repositories.ts';

/** Gitea tells of statuses, runs and jobs; Forgejo only of runs that ended. */
export function actionMessages(isForgejo: boolean, event: ForgeEvent, urls: Urls): GiteaBody[] {
  if (isForgejo) {
    const isEnd = event.is === 'workflow_run_changed' && event.action === 'completed';
    return isEnd ? [forgejoBody(event, urls)] : [];
  }
  switch (event.is) {
    case 'status_set':
      return [['status', 'status', null, statusFacts(event, urls)]];
    case 'workflow_run_changed': {
      const { run, action } = event;
      const workflow_run = showRun(run, urls);
      const facts = { ...ownerOf(event, urls), workflow: showWorkflow(run, urls), workflow_run };
      return [['workflow_run', 'workflow_run', action, facts]];
    }
    case 'workflow_job_changed': {
      const facts = { ...ownerOf(event, urls), workflow_job: showJob(event.job, urls) };
      return [['workflow_job', 'workflow_job', event.action, facts]];
    }
    default:
      return [];
  }
}

function ownerOf({ repository: { owner } }: ForgeEvent, urls: Urls): object {
  return owner.kind === 'Organization' ? { organization: showOrganization(owner, urls) } : {};
}

/** `recover` is a success after a failure. */
function forgejoBody(
  { run, previously }: Extract<ForgeEvent, { is: 'workflow_run_changed' }>,
  urls: Urls,
): GiteaBody {
  const isGreen = run.conclusion === 'success';
  const good = previously === 'failure' ? 'recover' : 'success';
  const action = isGreen ? good : 'failure';
  const facts = { run: showForgejoRun(run, urls), prior_status: 'running', last_run: null };
  return [`action_run_${action}`, `action_run_${action}`, action, facts];
}

function statusFacts(
  { repository, status }: Extract<ForgeEvent, { is: 'status_set' }>,
  urls: Urls,
): object {
  const { id, sha, context, description, state, targetUrl } = status;
  const commit = repository.commits.get(sha);
  const at = isoTime(status.createdAt);
  return {
    commit: commit ? showCommit(repository, commit, urls) : { id: sha },
    ...{ context, created_at: at, description, id, sha, state },
    target_url: targetUrl.startsWith('http') ? targetUrl : `${urls.web}${targetUrl || '/'}`,
    updated_at: at,
  };
}

function showWorkflow({ repository, workflow, sha, createdAt }: WorkflowRun, urls: Urls) {
  const file = `${workflow}.yml`;
  const page = pageUrl(repository, urls);
  return {
    ...{ id: file, name: workflow, path: `.gitea/workflows/${file}`, state: 'active' },
    ...{ created_at: isoTime(createdAt), updated_at: isoTime(createdAt) },
    url: `${repositoryUrl(repository, urls)}/actions/workflows/${file}`,
    html_url: `${page}/src/commit/${sha}/.gitea/workflows/${file}`,
    badge_url: `${page}/actions/workflows/${file}/badge.svg?branch=${repository.defaultBranch}`,
    deleted_at: '0001-01-01T00:00:00Z',
  };
}
