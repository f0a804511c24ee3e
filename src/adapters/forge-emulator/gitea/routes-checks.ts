import { z } from 'zod';
import { type Answer, type Call, created, ok, type Route } from '../http/answer.ts';
import { bodyOf, commitIn, repositoryIn } from '../http/call-parts.ts';
import { jobNumbered, logOf, rerun, runNumbered } from '../state/actions.ts';
import { setStatus } from '../state/checks.ts';
import type { WorkflowRun } from '../state/model.ts';
import { actorOf, NEEDS } from '../state/rights.ts';
import { listed } from './lists.ts';
import {
  showCombinedStatus,
  showForgejoRun,
  showJob,
  showRun,
  showStatus,
  showTask,
} from './show-checks.ts';

const REPOSITORY = '/repos/{owner}/{repo}';
const RUNS = `${REPOSITORY}/actions/runs`;
const TASKS = `${REPOSITORY}/actions/tasks`;

const NewStatus = z.object({
  state: z.enum(['pending', 'success', 'error', 'failure']),
  context: z.string().optional(),
  description: z.string().optional(),
  target_url: z.string().optional(),
});

const STATUS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${REPOSITORY}/commits/{ref}/status`,
    async answer(call) {
      const { repository, sha } = await commitIn(call, NEEDS.readStatuses);
      return ok(showCombinedStatus(repository, sha, call.urls));
    },
  },
  statusList(`${REPOSITORY}/commits/{ref}/statuses`),
  statusList(`${REPOSITORY}/statuses/{sha}`),
  {
    method: 'POST',
    path: `${REPOSITORY}/statuses/{sha}`,
    async answer(call) {
      const { world, caller, urls } = call;
      const { repository, sha } = await commitIn(call, NEEDS.readStatuses);
      const { state, context = '', description = '', target_url = '' } = bodyOf(call, NewStatus);
      const facts = { sha, state, context, description, targetUrl: target_url };
      const creator = actorOf(caller);
      const status = setStatus(world, { caller, repository }, { ...facts, creator });
      return created(showStatus(repository, status, urls));
    },
  },
];

/** All of them, newest first. */
function statusList(path: string): Route {
  return {
    method: 'GET',
    path,
    async answer(call) {
      const { repository, sha } = await commitIn(call, NEEDS.readStatuses);
      const found = repository.statuses.filter((status) => status.sha === sha).toReversed();
      return listed(call, found, (status) => showStatus(repository, status, call.urls));
    },
  };
}

/** Forgejo lists runs, without their jobs and logs, and repeats none. */
export function checkRoutes(isForgejo: boolean): readonly Route[] {
  const tasks: Route = { method: 'GET', path: TASKS, answer: (call) => listTasks(call) };
  const runs: Route = {
    method: 'GET',
    path: RUNS,
    answer: (call) => listRuns(call, isForgejo ? showForgejoRun : showRun),
  };
  const one: Route = {
    method: 'GET',
    path: `${RUNS}/{run}`,
    answer(call) {
      const run = runIn(call);
      return ok(isForgejo ? showForgejoRun(run, call.urls) : showRun(run, call.urls));
    },
  };
  return [...STATUS_ROUTES, tasks, runs, one, ...(isForgejo ? [] : JOB_ROUTES)];
}

function runIn(call: Call): WorkflowRun {
  return runNumbered(repositoryIn(call, NEEDS.readActions), Number(call.params['run']));
}

function counted(name: string, { body, headers }: Answer): Answer {
  const total = Number(headers?.['X-Total-Count']);
  return { status: 200, headers: headers ?? {}, body: { [name]: body, total_count: total } };
}

function listRuns(call: Call, show: typeof showRun | typeof showForgejoRun): Answer {
  const repository = repositoryIn(call, NEEDS.readActions);
  const sha = call.query.get('head_sha');
  const found = repository.workflowRuns
    .filter((run) => sha === null || run.sha === sha)
    .toReversed();
  return counted(
    'workflow_runs',
    listed(call, found, (run) => show(run, call.urls)),
  );
}

function listTasks(call: Call): Answer {
  const repository = repositoryIn(call, NEEDS.readActions);
  const jobs = repository.workflowRuns.flatMap((run) => run.jobs).toReversed();
  return counted(
    'workflow_runs',
    listed(call, jobs, (job) => showTask(job, call.urls)),
  );
}

const JOB_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${RUNS}/{run}/jobs`,
    answer: (call) =>
      counted(
        'jobs',
        listed(call, runIn(call).jobs, (job) => showJob(job, call.urls)),
      ),
  },
  {
    method: 'GET',
    path: `${REPOSITORY}/actions/jobs/{job_id}/logs`,
    answer(call) {
      const repository = repositoryIn(call, NEEDS.readActions);
      return { status: 200, text: logOf(jobNumbered(repository, Number(call.params['job_id']))) };
    },
  },
  {
    method: 'POST',
    path: `${RUNS}/{run}/rerun`,
    answer(call) {
      const run = runIn(call);
      rerun(call.world, { caller: call.caller, run });
      return created(showRun(run, call.urls));
    },
  },
  {
    method: 'POST',
    path: `${RUNS}/{run}/rerun-failed-jobs`,
    answer(call) {
      rerun(call.world, { caller: call.caller, run: runIn(call) });
      return { status: 201 };
    },
  },
];
