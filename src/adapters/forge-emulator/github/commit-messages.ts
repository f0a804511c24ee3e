import { isoTime, type Urls } from '../http/answer.ts';
import { type ForgeEvent, NO_COMMIT, type PushedCommit } from '../state/event.ts';
import type { Repository, WorkflowRun } from '../state/model.ts';
import type { MessageBody } from './messages.ts';
import { nodeId } from './show-accounts.ts';
import { showWorkflowJob, showWorkflowRun } from './show-actions.ts';
import { showCheckRun, showStatus, showSuite } from './show-checks.ts';
import { showPushedCommit } from './show-commits.ts';
import { pageUrl, repositoryUrl } from './show-repositories.ts';

/** Events of commits: pushes, statuses, checks and Actions. */
export function commitBodies(event: ForgeEvent, urls: Urls): MessageBody[] {
  const { repository } = event;
  switch (event.is) {
    case 'pushed':
      return pushBodies(event, urls);
    case 'status_set': {
      const { status } = event;
      const { name, full_name } = {
        name: repository.name,
        full_name: `${repository.owner.login}/${repository.name}`,
      };
      const facts = { ...showStatus(repository, status, urls), sha: status.sha, name: full_name };
      return [
        [
          'status',
          null,
          {
            ...facts,
            branches: branchesAt(event, status.sha),
            commit: { sha: status.sha, repository: name },
          },
        ],
      ];
    }
    case 'check_run_changed':
      return [['check_run', event.action, { check_run: showCheckRun(event.run, urls) }]];
    case 'check_suite_changed': {
      const commit = commitOf(repository, event.suite.sha);
      return [['check_suite', 'completed', { check_suite: showSuite(event.suite, commit, urls) }]];
    }
    case 'workflow_run_changed': {
      const { run, action } = event;
      const workflow_run = showWorkflowRun(run, commitOf(repository, run.sha), urls);
      const workflow = showWorkflow(run, urls);
      return [['workflow_run', action, { workflow_run, workflow }]];
    }
    case 'workflow_job_changed':
      return [['workflow_job', event.action, { workflow_job: showWorkflowJob(event.job, urls) }]];
    default:
      return [];
  }
}

function pushBodies(
  { repository, sender, push }: Extract<ForgeEvent, { is: 'pushed' }>,
  urls: Urls,
): MessageBody[] {
  const { ref, before, after, isForced } = push;
  const commits = push.commits.map((commit) => showPushedCommit(repository, commit, urls));
  const branch = ref.replace('refs/heads/', '');
  const isNew = before === NO_COMMIT;
  const isGone = after === NO_COMMIT;
  const facts = { ref, before, after, created: isNew, deleted: isGone, forced: isForced };
  const pusher = { name: sender.login, email: sender.email };
  const compare = `${pageUrl(repository, urls)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`;
  const head_commit = commits.at(-1) ?? null;
  const body: MessageBody = [
    'push',
    null,
    { ...facts, base_ref: null, compare, commits, head_commit, pusher },
  ];
  const named = { ref: branch, ref_type: 'branch', pusher_type: 'user' };
  const created = { ...named, master_branch: repository.defaultBranch, description: null };
  return [
    body,
    ...(isNew ? [['create', null, created] as const] : []),
    ...(isGone ? [['delete', null, named] as const] : []),
  ];
}

function branchesAt({ repository }: ForgeEvent, sha: string) {
  return [...repository.branches]
    .filter(([, tip]) => tip === sha)
    .map(([name]) => ({ name, commit: { sha }, protected: false }));
}

/** A commit that came with a push is known; of another only its id. */
function commitOf({ commits }: Repository, sha: string): PushedCommit {
  const none = { added: [], removed: [], modified: [], parents: [] };
  const nobody = { authorName: '', authorEmail: '', committerName: '', committerEmail: '' };
  return commits.get(sha) ?? { sha, tree: '', message: '', at: 0, ...nobody, ...none };
}

function showWorkflow({ repository, workflow, createdAt }: WorkflowRun, urls: Urls) {
  const path = `.github/workflows/${workflow}.yml`;
  const page = pageUrl(repository, urls);
  return {
    ...{ id: 1, node_id: nodeId('Workflow', 1), name: workflow, path, state: 'active' },
    ...{ created_at: isoTime(createdAt), updated_at: isoTime(createdAt) },
    url: `${repositoryUrl(repository, urls)}/actions/workflows/1`,
    html_url: `${page}/blob/${repository.defaultBranch}/${path}`,
    badge_url: `${page}/workflows/${workflow}/badge.svg`,
  };
}
