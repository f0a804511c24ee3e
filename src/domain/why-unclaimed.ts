import type { Board } from './board.ts';
import { creditRule, eligibilityRule, instanceRule, scopeRule, workerRule } from './claim-rules.ts';
import type { Waiting } from './claiming.ts';
import { nameOf } from './ids.ts';
import { operatorCommand } from './operator-command.ts';
import type { Instance } from './pool.ts';
import { explain, type Reason } from './reason.ts';
import { staffedProjects } from './recruiting.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from './refusal.ts';
import { eligibleInstances, routeOf } from './routing.ts';
import type { Task } from './task.ts';
import type { Thread } from './thread.ts';
import type { Worker } from './worker.ts';

/** An instance that may take a task, and why it does not. */
export interface EligibleView {
  readonly instance: string;
  readonly reasons: readonly Reason[];
}

/** The workers that could take a task, now or later. */
export interface Workforce {
  readonly waiting: Waiting;
  /** What the hall is doing about a missing worker; null where it starts none itself. */
  readonly recruiting: (instance: string) => string | null;
}

export function eligibleViews(
  board: Board,
  task: Task,
  thread: Thread,
  workforce: Workforce,
): readonly EligibleView[] {
  const route = routeOf(board, task, thread);
  return eligibleInstances(board, route).map(({ instance: name }) => {
    const instance = board.instances.get(name);
    const refusals = instance
      ? [
          instanceRule(board, instance),
          eligibilityRule(board, route, instance, workforce.waiting),
          ...nearestWorker(board, task.project, instance, workforce),
        ]
      : [];
    return {
      instance: name,
      reasons: refusals
        .filter((refusal) => refusal !== undefined)
        .map((refusal) => explain(board, task, refusal, name)),
    };
  });
}

/** The refusals of the instance's worker that comes closest to starting something in the project. */
function nearestWorker(
  board: Board,
  project: string,
  instance: Instance,
  workforce: Workforce,
): readonly Refusal[] {
  const { waiting } = workforce;
  let nearest: readonly Refusal[] | undefined;
  let elsewhere: Refusal | undefined;
  for (const worker of board.workers.values()) {
    if (worker.instance !== instance.name) continue;
    const outside = scopeRule({ worker, instance }, project);
    if (outside) {
      if (waiting.includes(worker.id)) elsewhere = outside;
      continue;
    }
    const refusals = workerRefusals(board, project, worker, waiting);
    if (!nearest || distance(codes(refusals)) < distance(codes(nearest))) nearest = refusals;
  }
  return nearest ?? absent(board, project, { instance, workforce, elsewhere });
}

interface AbsentWorker {
  readonly instance: Instance;
  readonly workforce: Workforce;
  /** Why a waiting worker of the instance cannot work here. */
  readonly elsewhere: Refusal | undefined;
}

/** No worker is there: if the hall starts its own workers here, why it has not. */
function absent(
  board: Board,
  project: string,
  { instance: { name }, workforce, elsewhere }: AbsentWorker,
): readonly Refusal[] {
  const noWorker =
    elsewhere ?? refuse('no_worker', `no worker of ${name} is registered for ${project}`);
  if (!staffedProjects(board).some((own) => own.name === project)) {
    const because = `${noWorker.because}, and the hall starts none: ${unstaffed(board, project)}`;
    return [{ ...noWorker, because }];
  }
  const recruiting = workforce.recruiting(name);
  const payer = creditRule(board, project, { instance: name, bringsModel: false });
  const unpaid = isRefusal(payer) ? [payer] : [];
  if (recruiting === null) return [...unpaid, noWorker];
  return unpaid.length > 0 ? unpaid : [refuse('no_worker', recruiting)];
}

/** Why the hall's own workers cannot work in a project. */
function unstaffed(board: Board, project: string): string {
  const repo = board.projects.get(project)?.settings.repo ?? null;
  if (repo === null) return `${project} has no repository; set its repo to file:PATH`;
  return `${repo} is on a forge, which this version does not reach; clone it with "git clone --bare" and set the repo of ${project} to file:PATH`;
}

function workerRefusals(
  board: Board,
  project: string,
  worker: Worker,
  waiting: Waiting,
): readonly Refusal[] {
  const payer = creditRule(board, project, worker);
  return [
    workerRule(worker),
    isRefusal(payer) ? payer : undefined,
    presence(board, worker, waiting),
  ].filter((refusal) => refusal !== undefined);
}

function presence(board: Board, { id }: Worker, waiting: Waiting): Refusal | undefined {
  const run = board.runOf.get(id);
  if (run !== undefined) {
    return refuse('worker_busy', `${nameOf('worker', id)} is working on ${nameOf('run', run)}`);
  }
  if (waiting.includes(id)) return undefined;
  return refuse('no_worker', `${nameOf('worker', id)} is registered but is not claiming tasks`);
}

/** The task could start, but no worker can start it: the reasons of the closest one. */
export function whyUnclaimed(
  board: Board,
  task: Task,
  takers: readonly EligibleView[],
): readonly Reason[] {
  if (takers.length === 0) return [noTaker(board, task)];
  const far = ({ reasons }: EligibleView) => distance(reasons.map(({ rule }) => rule));
  const [nearest] = takers.toSorted((a, b) => far(a) - far(b));
  return nearest?.reasons ?? [];
}

function codes(refusals: readonly Refusal[]): readonly RefusalCode[] {
  return refusals.map(({ refused }) => refused);
}

/** A worker that asks in vain is closer than one that is absent. */
function distance(codes: readonly RefusalCode[]): number {
  return codes.length + (codes.includes('no_worker') ? ABSENT : 0);
}

const ABSENT = 100;

function noTaker(board: Board, task: Task): Reason {
  const { instance, type, project } = task;
  const instances = [...board.instances.values()];
  if (instance === null && instances.every((known) => known.type !== type)) {
    const because = `type ${type} has no instances; they are created only when a hall starts for the first time`;
    const reason = explain(board, task, refuse('no_worker', because));
    return {
      ...reason,
      frees: `another type is chosen with: ${operatorCommand('task edit', nameOf('task', task.id), '--type', '…')}`,
    };
  }
  const required = instance ?? `type ${type}`;
  const disabled = instances
    .filter((known) => !known.settings.enabled)
    .filter((known) => (instance === null ? known.type === type : known.name === instance))
    .map(({ name }) => name);
  const why = disabled.length === 0 ? '' : `; disabled: ${disabled.join(', ')}`;
  const because = `no enabled instance of ${required} may work in ${project}${why}`;
  return explain(board, task, refuse('no_worker', because));
}
