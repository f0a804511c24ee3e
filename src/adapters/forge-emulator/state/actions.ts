import { readCommit, readFileAt } from '../git/read-commits.ts';
import { addAccount } from './accounts.ts';
import { addCheckRun, addStatus, applyToRun, NO_OUTPUT, openSuites, suiteOf } from './checks.ts';
import type { CiJob } from './ci-script.ts';
import { EmulatorRefused } from './emulator-refused.ts';
import type {
  Account,
  App,
  Caller,
  CheckRun,
  Conclusion,
  Repository,
  Status,
  WorkflowJob,
  WorkflowRun,
} from './model.ts';
import { actorOf, NEEDS, requireRight } from './rights.ts';
import { fullNameOf, type World } from './world.ts';

interface Pushed {
  readonly branch: string;
  readonly sha: string;
  readonly actor: Account;
}

/** Runs what the script of the forge's CI says about a pushed commit. */
export async function startCi(world: World, repository: Repository, pushed: Pushed): Promise<void> {
  const { sha } = pushed;
  openSuites(world, repository, sha);
  const jobs = await jobsOf(world, repository, { ...pushed, attempt: 1 });
  for (const job of jobs.filter(({ as }) => as === 'status')) {
    const creator = addAccount(world, 'ci-bot', { kind: 'Bot' });
    addStatus(world, repository, {
      ...statusOf(job.conclusion),
      sha,
      context: job.name,
      creator,
      sender: creator,
    });
  }
  const byWorkflow = Map.groupBy(
    jobs.filter(({ as = 'job' }) => as === 'job'),
    ({ workflow = 'ci' }) => workflow,
  );
  for (const [workflow, planned] of byWorkflow) {
    const run = await addRun(world, repository, { ...pushed, workflow });
    playJobs(world, run, planned);
  }
}

export function rerun(
  world: World,
  { caller, run }: { readonly caller: Caller; readonly run: WorkflowRun },
): void {
  const { repository, branch, sha } = run;
  requireRight(world, { caller, repository }, NEEDS.rerun);
  if (run.conclusion === null) throw new EmulatorRefused('invalid', 'run');
  const actor = actorOf(caller);
  run.attempt += 1;
  const { attempt } = run;
  const again = async () => {
    const planned = await jobsOf(world, repository, { branch, sha, actor, attempt });
    playJobs(world, run, planned);
  };
  Object.assign(run, { isStarted: false, conclusion: null, updatedAt: world.now() });
  world.background(again());
}

/** A check run of the forge's own CI runs again; of any other the App that made it is told. */
export function rerunCheck(
  world: World,
  { caller, repository }: { readonly caller: Caller; readonly repository: Repository },
  run: CheckRun,
): void {
  const found = repository.workflowRuns.find(({ jobs }) =>
    jobs.some(({ checkRun }) => checkRun === run),
  );
  if (found) return rerun(world, { caller, run: found });
  const sender = actorOf(caller);
  world.emit({ is: 'check_run_changed', repository, sender, run, action: 'rerequested' });
}

/** Ends a job that the script left running. */
export function concludeJob(
  world: World,
  job: WorkflowJob,
  { conclusion, log }: { readonly conclusion: string; readonly log: string },
): void {
  const { run } = job;
  const { repository, actor: sender } = run;
  Object.assign(job, { conclusion, log, completedAt: world.now() });
  showJob(world, job);
  world.emit({ is: 'workflow_job_changed', repository, sender, job, action: 'completed' });
  if (run.jobs.some((each) => each.conclusion === null)) return;
  const previously = lastConclusion(run);
  const isGreen = run.jobs.every((each) => each.conclusion !== 'failure');
  Object.assign(run, { conclusion: isGreen ? 'success' : 'failure', updatedAt: world.now() });
  world.emit({
    ...{ is: 'workflow_run_changed', repository, sender, run, action: 'completed' },
    previously,
  });
}

export function runNumbered({ workflowRuns }: Repository, id: number): WorkflowRun {
  const run = workflowRuns.find((each) => each.id === id);
  if (!run) throw new EmulatorRefused('not_found', `run ${id}`);
  return run;
}

export function jobNumbered({ workflowRuns }: Repository, id: number): WorkflowJob {
  const job = workflowRuns.flatMap(({ jobs }) => jobs).find((each) => each.id === id);
  if (!job) throw new EmulatorRefused('not_found', `job ${id}`);
  return job;
}

/** As runners write it: each line with its time. */
export function logOf({ log, startedAt, createdAt }: WorkflowJob): string {
  const time = new Date(startedAt ?? createdAt).toISOString().replace('Z', '0000Z');
  return log.replace(/^(?=.)/gm, `${time} `);
}

async function jobsOf(
  world: World,
  repository: Repository,
  { branch, sha, attempt }: Pushed & { readonly attempt: number },
): Promise<readonly CiJob[]> {
  const script = world.ci;
  if (!script) return [];
  const read = (path: string) => readFileAt(world.git, repository.dir, { sha, path });
  return await script({ repository: fullNameOf(repository), branch, sha, attempt, read });
}

async function addRun(
  world: World,
  repository: Repository,
  { branch, sha, actor, workflow }: Pushed & { readonly workflow: string },
): Promise<WorkflowRun> {
  const { message } = await readCommit(world.git, repository.dir, sha);
  const showsRuns = world.rules.jobsAre === 'check_runs';
  const run: WorkflowRun = {
    ...{ id: world.nextId('workflow_run'), repository, workflow, sha, branch, actor },
    number: repository.workflowRuns.length + 1,
    title: message.split('\n', 1)[0] ?? '',
    suite: showsRuns ? suiteOf(world, repository, { sha, app: actionsApp(world) }) : null,
    ...{ attempt: 1, isStarted: false, conclusion: null, jobs: [] },
    ...{ createdAt: world.now(), updatedAt: world.now() },
  };
  repository.workflowRuns.push(run);
  return run;
}

/** Queued, started, and where the script says how, ended. */
function playJobs(world: World, run: WorkflowRun, planned: readonly CiJob[]): void {
  const { repository, actor: sender } = run;
  const emitRun = (action: 'requested' | 'in_progress') =>
    world.emit({ is: 'workflow_run_changed', repository, sender, run, action, previously: null });
  emitRun('requested');
  const before = run.jobs;
  run.jobs = planned.map(({ name }) => queueJob(world, run, { name, before }));
  run.isStarted = true;
  for (const job of run.jobs) {
    Object.assign(job, { isStarted: true, startedAt: world.now() });
    showJob(world, job);
    world.emit({ is: 'workflow_job_changed', repository, sender, job, action: 'in_progress' });
  }
  emitRun('in_progress');
  for (const [n, job] of run.jobs.entries()) {
    const { conclusion = null, log = '' } = planned[n] ?? {};
    if (conclusion !== null) concludeJob(world, job, { conclusion, log });
  }
}

/** GitHub makes a new job and check run at a rerun; Gitea keeps the job and its id. */
function queueJob(
  world: World,
  run: WorkflowRun,
  { name, before }: { readonly name: string; readonly before: readonly WorkflowJob[] },
): WorkflowJob {
  const { repository, actor: sender, suite } = run;
  const kept = suite ? undefined : before.find((each) => each.name === name);
  const fresh = { isStarted: false, conclusion: null, log: '', startedAt: null, completedAt: null };
  const checkRun = addJobRun(world, { run, name });
  // On GitHub a job has the id of its check run.
  const id = checkRun?.id ?? kept?.id ?? world.nextId('workflow_job');
  const job: WorkflowJob = kept
    ? Object.assign(kept, fresh)
    : { id, run, name, ...fresh, createdAt: world.now(), checkRun };
  showJob(world, job);
  world.emit({ is: 'workflow_job_changed', repository, sender, job, action: 'queued' });
  return job;
}

function addJobRun(world: World, { run, name }: { run: WorkflowRun; name: string }) {
  if (!run.suite) return null;
  return addCheckRun(world, run.suite, {
    ...{ name, isStarted: false, conclusion: null, output: NO_OUTPUT, externalId: '' },
    ...{ detailsUrl: null, sender: run.suite.app.bot },
  });
}

/** As a check run, or as the status of its commit. */
function showJob(world: World, job: WorkflowJob): void {
  const { run, checkRun, isStarted, conclusion } = job;
  if (checkRun) {
    applyToRun(world, { run: checkRun, sender: checkRun.suite.app.bot }, { isStarted, conclusion });
    return;
  }
  const { repository, sha, workflow } = run;
  const sender = addAccount(world, 'gitea-actions', { kind: 'Bot' });
  const waiting = isStarted ? 'Has started running' : 'Waiting to run';
  addStatus(world, repository, {
    ...statusOf(conclusion),
    ...(conclusion === null ? { description: waiting } : {}),
    ...{ sha, context: `${workflow} / ${job.name} (push)`, creator: null, sender },
    targetUrl: `/${fullNameOf(repository)}/actions/runs/${run.id}/jobs/${job.id}`,
  });
}

function statusOf(conclusion: Conclusion): Pick<Status, 'state' | 'description' | 'targetUrl'> {
  if (conclusion === null) return { state: 'pending', description: 'Waiting', targetUrl: '' };
  return conclusion === 'success' || conclusion === 'skipped'
    ? { state: 'success', description: 'Successful in 1s', targetUrl: '' }
    : { state: 'failure', description: 'Failing after 1s', targetUrl: '' };
}

function lastConclusion({ repository, branch, workflow, id }: WorkflowRun): string | null {
  const before = repository.workflowRuns.filter(
    (run) => run.branch === branch && run.workflow === workflow && run.id < id,
  );
  return before.at(-1)?.conclusion ?? null;
}

const ACTIONS_ID = 15_368;

/** GitHub's own App, which makes the check runs of Actions. */
function actionsApp(world: World): App {
  const known = world.apps.find(({ id }) => id === ACTIONS_ID);
  if (known) return known;
  const owner = addAccount(world, 'github', { kind: 'Organization' });
  const app: App = {
    ...{ id: ACTIONS_ID, slug: 'github-actions', name: 'GitHub Actions', owner },
    bot: addAccount(world, 'github-actions[bot]', { kind: 'Bot' }),
    ...{ publicKey: '', clientId: 'actions', hook: null, permissions: {}, events: [] },
    ...{ installations: [], createdAt: world.now() },
  };
  world.apps.push(app);
  return app;
}
