import { z } from 'zod';
import { readCommit, resolveCommit } from '../git/read-commits.ts';
import { type Call, created, ok, type Route } from '../http/answer.ts';
import { bodyOf, commitIn, repositoryIn } from '../http/call-parts.ts';
import { jobNumbered, logOf, rerun, rerunCheck, runNumbered } from '../state/actions.ts';
import {
  type CheckRunFacts,
  createCheckRun,
  editCheckRun,
  latestRuns,
  NO_OUTPUT,
  setStatus,
} from '../state/checks.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import type { CheckOutput } from '../state/model.ts';
import { actorOf, NEEDS } from '../state/rights.ts';
import { listed, page } from './lists.ts';
import { showWorkflowJob, showWorkflowRun } from './show-actions.ts';
import { showCheckRun, showCombinedStatus, showStatus, showSuite } from './show-checks.ts';

const REPOSITORY = '/repos/{owner}/{repo}';
const COMMIT = `${REPOSITORY}/commits/{ref}`;

const Output = z.object({
  title: z.string().optional(),
  summary: z.string().optional(),
  text: z.string().optional(),
  annotations: z.array(z.unknown()).max(50).optional(),
});

const Run = z.object({
  name: z.string(),
  head_sha: z.string(),
  status: z.string().optional(),
  conclusion: z.string().optional(),
  details_url: z.string().optional(),
  external_id: z.string().optional(),
  output: Output.optional(),
});

const EditedRun = Run.partial();

const NewStatus = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  context: z.string().optional(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

export const CHECK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${COMMIT}/check-runs`,
    async answer(call) {
      const { repository, sha } = await commitIn(call, NEEDS.readChecks);
      const all = call.query.get('filter') === 'all';
      const runs = all
        ? repository.checkRuns.filter(({ suite }) => suite.sha === sha)
        : latestRuns(repository, sha);
      const wanted = call.query.get('check_name');
      const found = runs.filter(({ name }) => wanted === null || name === wanted);
      const { items, headers } = page(call, found);
      const check_runs = items.map((run) => showCheckRun(run, call.urls));
      return { status: 200, headers, body: { total_count: found.length, check_runs } };
    },
  },
  {
    method: 'GET',
    path: `${COMMIT}/check-suites`,
    async answer(call) {
      const { repository, sha } = await commitIn(call, NEEDS.readChecks);
      const commit = await readCommit(call.world.git, repository.dir, sha);
      const found = repository.suites.filter((suite) => suite.sha === sha);
      const { items, headers } = page(call, found);
      const check_suites = items.map((suite) => showSuite(suite, commit, call.urls));
      return { status: 200, headers, body: { total_count: found.length, check_suites } };
    },
  },
  {
    method: 'GET',
    path: `${COMMIT}/status`,
    async answer(call) {
      const { repository, sha } = await commitIn(call, NEEDS.readStatuses);
      return ok(showCombinedStatus(repository, sha, call.urls));
    },
  },
  {
    method: 'GET',
    path: `${COMMIT}/statuses`,
    async answer(call) {
      const { repository, sha } = await commitIn(call, NEEDS.readStatuses);
      const all = repository.statuses.filter((status) => status.sha === sha).toReversed();
      return listed(call, all, (status) => showStatus(repository, status, call.urls));
    },
  },
  { method: 'POST', path: `${REPOSITORY}/statuses/{sha}`, answer: (call) => postStatus(call) },
  { method: 'POST', path: `${REPOSITORY}/check-runs`, answer: (call) => postRun(call) },
  {
    method: 'PATCH',
    path: `${REPOSITORY}/check-runs/{check_run_id}`,
    answer(call) {
      const { world, caller, urls } = call;
      const { repository, run } = runIn(call, NEEDS.read);
      const facts = factsOf(bodyOf(call, EditedRun), run.output);
      editCheckRun(world, { caller, repository }, { run, facts });
      return ok(showCheckRun(run, urls));
    },
  },
  {
    method: 'GET',
    path: `${REPOSITORY}/check-runs/{check_run_id}`,
    answer: (call) => ok(showCheckRun(runIn(call, NEEDS.readChecks).run, call.urls)),
  },
  {
    method: 'POST',
    path: `${REPOSITORY}/check-runs/{check_run_id}/rerequest`,
    answer(call) {
      const { repository, run } = runIn(call, NEEDS.readChecks);
      rerunCheck(call.world, { caller: call.caller, repository }, run);
      return created({});
    },
  },
  ...actionRoutes(),
];

function runIn(call: Call, need: Parameters<typeof repositoryIn>[1]) {
  const repository = repositoryIn(call, need);
  const run = repository.checkRuns.find(({ id }) => String(id) === call.params['check_run_id']);
  if (!run) throw new EmulatorRefused('not_found', 'check run');
  return { repository, run };
}

async function postStatus(call: Call) {
  const { world, caller, urls, params } = call;
  const repository = repositoryIn(call, NEEDS.read);
  const sha = await resolveCommit(world.git, repository.dir, params['sha'] ?? '');
  if (sha === null) throw new EmulatorRefused('invalid', 'sha');
  const {
    state,
    context = 'default',
    description,
    target_url: targetUrl,
  } = bodyOf(call, NewStatus);
  const status = setStatus(
    world,
    { caller, repository },
    {
      ...{ sha, state, context, description: description ?? '', targetUrl: targetUrl ?? '' },
      creator: actorOf(caller),
    },
  );
  return created(showStatus(repository, status, urls));
}

async function postRun(call: Call) {
  const { world, caller, urls } = call;
  const repository = repositoryIn(call, NEEDS.read);
  const body = bodyOf(call, Run);
  const sha = await resolveCommit(world.git, repository.dir, body.head_sha);
  if (sha === null) throw new EmulatorRefused('invalid', 'head_sha');
  const run = createCheckRun(
    world,
    { caller, repository },
    {
      ...{
        isStarted: false,
        conclusion: null,
        output: NO_OUTPUT,
        detailsUrl: null,
        externalId: '',
      },
      ...factsOf(body, NO_OUTPUT),
      ...{ name: body.name, sha },
    },
  );
  return created(showCheckRun(run, urls));
}

/** A conclusion ends the run; `queued` and `in_progress` open it again. */
function factsOf(body: z.infer<typeof EditedRun>, before: CheckOutput): Partial<CheckRunFacts> {
  const { name, status, conclusion, output } = body;
  const progress =
    status === undefined && conclusion === undefined
      ? {}
      : { isStarted: status !== 'queued', conclusion: conclusion ?? null };
  return {
    ...(name === undefined ? {} : { name }),
    ...progress,
    ...(body.details_url === undefined ? {} : { detailsUrl: body.details_url }),
    ...(body.external_id === undefined ? {} : { externalId: body.external_id }),
    ...(output === undefined ? {} : { output: mergedOutput(before, output) }),
  };
}

function mergedOutput(before: CheckOutput, output: z.infer<typeof Output>): CheckOutput {
  return {
    title: output.title ?? before.title,
    summary: output.summary ?? before.summary,
    text: output.text ?? before.text,
    annotations: before.annotations + (output.annotations?.length ?? 0),
  };
}

function actionRoutes(): Route[] {
  const runs = `${REPOSITORY}/actions/runs`;
  const again = (path: string): Route => ({
    method: 'POST',
    path,
    answer(call) {
      const repository = repositoryIn(call, NEEDS.readActions);
      const run = runNumbered(repository, Number(call.params['run_id']));
      rerun(call.world, { caller: call.caller, run });
      return created({});
    },
  });
  return [
    { method: 'GET', path: runs, answer: (call) => listRuns(call) },
    {
      method: 'GET',
      path: `${runs}/{run_id}/jobs`,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.readActions);
        const { jobs: all } = runNumbered(repository, Number(call.params['run_id']));
        const { items, headers } = page(call, all);
        const jobs = items.map((job) => showWorkflowJob(job, call.urls));
        return { status: 200, headers, body: { total_count: all.length, jobs } };
      },
    },
    {
      method: 'GET',
      path: `${REPOSITORY}/actions/jobs/{job_id}/logs`,
      answer(call) {
        const repository = repositoryIn(call, NEEDS.readActions);
        const { id } = jobNumbered(repository, Number(call.params['job_id']));
        const Location = `${call.urls.web}/logs/${repository.id}/${id}`;
        return { status: 302, headers: { Location } };
      },
    },
    {
      method: 'GET',
      path: '/logs/{repository_id}/{job_id}',
      answer({ world, params }) {
        const repository = world.repositories.find(
          ({ id }) => String(id) === params['repository_id'],
        );
        if (!repository) throw new EmulatorRefused('not_found', 'log');
        return { status: 200, text: logOf(jobNumbered(repository, Number(params['job_id']))) };
      },
    },
    again(`${runs}/{run_id}/rerun`),
    again(`${runs}/{run_id}/rerun-failed-jobs`),
  ];
}

async function listRuns(call: Call) {
  const { query, world, urls } = call;
  const repository = repositoryIn(call, NEEDS.readActions);
  const [sha, branch] = [query.get('head_sha'), query.get('branch')];
  const found = repository.workflowRuns
    .filter((run) => sha === null || run.sha === sha)
    .filter((run) => branch === null || run.branch === branch)
    .toReversed();
  const { items, headers } = page(call, found);
  const workflow_runs: object[] = [];
  for (const run of items) {
    const commit = await readCommit(world.git, repository.dir, run.sha);
    workflow_runs.push(showWorkflowRun(run, commit, urls));
  }
  return { status: 200, headers, body: { total_count: found.length, workflow_runs } };
}
