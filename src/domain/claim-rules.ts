import type { Board } from './board.ts';
import type { Waiting } from './claiming.ts';
import { type Instant, nameOf, type ThreadId } from './ids.ts';
import { operatorCommand } from './operator-command.ts';
import { allowedIn, type Instance } from './pool.ts';
import type { Pause, Project } from './project.ts';
import {
  firstUnparkTime,
  hasCredit,
  type Invoker,
  isParked,
  leastUsed,
  mayPay,
  RUN_COST,
  windowStart,
} from './quota.ts';
import type { Route } from './ready-set.ts';
import { type Refusal, refuse } from './refusal.ts';
import { eligibleInstances } from './routing.ts';
import type { Task } from './task.ts';
import { progressOf, type Thread } from './thread.ts';
import type { Worker } from './worker.ts';

/*
 * The rules of a claim, except those about the order within a thread (`thread-queue.ts`). A claim must
 * pass all of them; `why` shows those that refuse.
 */

export function hallRule({ hall }: Board): Refusal | undefined {
  if (hall.draining)
    return refuse('hall_draining', pauseText('the hall is draining', hall.draining));
  if (hall.paused) return refuse('hall_paused', pauseText('the hall is paused', hall.paused));
  return undefined;
}

export function projectRule(
  board: Board,
  project: Project,
  claimant?: { readonly worker: Worker; readonly instance: Instance },
): Refusal | undefined {
  const { name, paused } = project;
  if (paused) return refuse('project_paused', pauseText(`${name} is paused`, paused));
  const running = board.runningIn.get(name) ?? 0;
  const { maxWorkers } = project.settings;
  if (running >= maxWorkers) {
    return refuse('project_at_capacity', `${name} runs ${running} of ${maxWorkers} workers`);
  }
  return claimant && scopeRule(claimant, name);
}

/** May this worker work in this project at all? */
export function scopeRule(
  { worker, instance }: { readonly worker: Worker; readonly instance: Instance },
  project: string,
): Refusal | undefined {
  if (!allowedIn(instance, project)) {
    return refuse('project_not_allowed', `${instance.name} may not work in ${project}`);
  }
  if (worker.projects && !worker.projects.includes(project)) {
    const only = worker.projects.join(', ');
    return refuse('project_not_allowed', `${nameOf('worker', worker.id)} works only in ${only}`);
  }
  return undefined;
}

export function workerRule(worker: Worker): Refusal | undefined {
  if (!worker.draining) return undefined;
  return refuse('worker_draining', `${nameOf('worker', worker.id)} is draining`);
}

export function instanceRule(board: Board, instance: Instance): Refusal | undefined {
  const { name, paused, settings } = instance;
  if (!settings.enabled) return refuse('instance_paused', `${name} is disabled`);
  if (paused) return refuse('instance_paused', pauseText(`${name} is paused`, paused));
  const running = board.runningAs.get(name) ?? 0;
  if (settings.parallel > 0 && running >= settings.parallel) {
    return refuse('instance_at_capacity', `${name} runs ${running} of ${settings.parallel} tasks`);
  }
  return undefined;
}

/** May this instance take tasks of this route, or do other instances come first? */
export function eligibilityRule(
  board: Board,
  route: Route,
  instance: Instance,
  waiting: Waiting,
): Refusal | undefined {
  const takers = eligibleInstances(board, route);
  const mine = takers.find((taker) => taker.instance === instance.name);
  if (!mine) return notMine(route, instance);
  const better = takers.find(
    ({ instance: name, overlap }) => overlap > mine.overlap && isFree(board, name, route, waiting),
  );
  if (!better) return undefined;
  return refuse('labels_prefer_others', `${better.instance} matches more labels and is free`);
}

function notMine(route: Route, { name, type }: Instance): Refusal {
  if (route.instance !== null && route.instance !== name) {
    return refuse('instance_mismatch', `the task requires ${route.instance}, not ${name}`);
  }
  if (route.type !== type) {
    return refuse(
      'instance_mismatch',
      `the task requires type ${route.type}; ${name} is of type ${type}`,
    );
  }
  const labels = route.labels.join(', ');
  return refuse(
    'labels_prefer_others',
    `other instances come first for ${labels || 'this thread'}`,
  );
}

function isFree(board: Board, name: string, { project }: Route, waiting: Waiting): boolean {
  const instance = board.instances.get(name);
  return !!instance && !instanceRule(board, instance) && waiting.waits(name, project);
}

interface Payer {
  readonly invoker: string | null;
  readonly credits: number;
}

type Spender = Pick<Worker, 'instance' | 'bringsModel'>;

/** Finds the invoker who pays for a run in this project; none where the run uses no model of the hall. */
export function creditRule(board: Board, project: string, spender: Spender): Payer | Refusal {
  if (!usesModelOfHall(board, spender)) return { invoker: null, credits: 0 };
  const payers = [...board.invokers.values()].filter((invoker) => mayPay(invoker, project));
  const withCredit = payers.filter((invoker) => hasCredit(invoker, RUN_COST));
  const payer = withCredit.filter((invoker) => !isParked(invoker)).sort(leastUsed)[0];
  if (payer) return { invoker: payer.handle, credits: RUN_COST };
  if (payers.length === 0) return refuse('no_invoker', noInvokerText(board, project));
  if (withCredit.length > 0)
    return refuse('invoker_parked', `${project} waits: ${parkedText(withCredit)}`);
  const spent = payers.map(({ handle, settings }) => `${handle} (${settings.weeklyCap} a week)`);
  const nextWeek = new Date(windowStart(board.hall.window + 1)).toISOString();
  return refuse(
    'no_credit',
    `the invokers of ${project} have no credit left: ${spent.join(', ')}; the weekly caps reset at ${nextWeek}`,
  );
}

function usesModelOfHall(board: Board, { instance, bringsModel }: Spender): boolean {
  return !bringsModel && needsModel(board, instance);
}

/** Whether agents of the instance call a model. */
export function needsModel(board: Board, instance: string): boolean {
  const type = board.instances.get(instance)?.type ?? '';
  return board.types.get(type)?.settings.needsModel ?? true;
}

function noInvokerText({ invokers }: Board, project: string): string {
  if (invokers.size === 0) {
    return 'no invoker pays for runs; declare one under `invokers:` in the configuration, or register the worker with brings_model';
  }
  const each = [...invokers.values()].map(({ handle, paused, settings, credentialFault }) => {
    if (paused) return pauseText(`${handle} is paused`, paused);
    if (credentialFault) return `${handle} cannot pay: ${credentialFault}`;
    return `${handle} pays only in ${settings.projects?.join(', ')}`;
  });
  return `no invoker pays for runs in ${project}: ${each.join('; ')}`;
}

function parkedText(parked: readonly Invoker[]): string {
  const each = parked.map(({ handle, parkedUntil, parkedBecause }) => {
    const until = new Date(parkedUntil ?? 0).toISOString();
    const why = parkedBecause ? ` (${parkedBecause})` : '';
    return `${handle} opens again at ${until}${why}`;
  });
  return each.join('; ');
}

/** When the first possible payer is unparked; null when none is parked. */
export function nextUnparkTime(board: Board, project: string): Instant | null {
  const withCredit = [...board.invokers.values()].filter(
    (invoker) => mayPay(invoker, project) && hasCredit(invoker, RUN_COST),
  );
  return firstUnparkTime(withCredit);
}

/** Whether the task's own state allows it to start. */
export function stateRule(board: Board, task: Task, thread: Thread): Refusal | undefined {
  const { state } = task;
  switch (state.is) {
    case 'available':
      return undefined;
    case 'proposed':
      return refuse('needs_approval', 'it is proposed and waits for approval');
    case 'blocked':
      return refuse('waits_for_dependency', dependencies(board, thread));
    case 'deferred':
      return refuse(
        'not_due',
        `deferred until ${new Date(state.until).toISOString()}: ${state.why}`,
      );
    case 'awaiting_input':
      return refuse('waits_for_answer', `the agent asked: ${state.question}`);
    case 'awaiting_approval':
      return refuse(
        'held_by_run',
        `${nameOf('run', state.run)} is working on it and is waiting for a person to approve a command (see it with: ${operatorCommand('approvals list')})`,
      );
    case 'claimed':
    case 'running':
      return refuse('held_by_run', `${nameOf('run', state.run)} is working on it`);
    case 'completed':
    case 'failed':
    case 'rejected':
    case 'cancelled':
      return refuse('task_closed', `it is ${state.is}`);
  }
}

/** What a task depends on, apart from a person: even approved or answered, it could not start yet. */
export function dependencyRule(board: Board, task: Task, thread: Thread): Refusal | undefined {
  if (task.state.is === 'blocked' || thread.blockedBy.length === 0) return undefined;
  return refuse('waits_for_dependency', dependencies(board, thread));
}

function dependencies(board: Board, { blockedBy }: Thread): string {
  return blockedBy.map((id) => `${nameOf('thread', id)} ${notDone(board, id)}`).join('; ');
}

function notDone(board: Board, id: ThreadId): string {
  const thread = board.threads.get(id);
  if (!thread) return 'ended without being done';
  const [first] = thread.tasks;
  if (first !== undefined) {
    return `is not done: ${nameOf('task', first)} is ${board.tasks.get(first)?.state.is}`;
  }
  const { pr } = thread.forge;
  if (pr) {
    return `is not done: ${pr.state === 'opening' ? 'its pull request' : `pull request ${pr.url}`} is ${pr.state} (once it is merged: ${operatorCommand('thread mark-merged', nameOf('thread', id))})`;
  }
  return `is not done: ${progressOf(thread) ?? 'none of its tasks was completed'}`;
}

function pauseText(what: string, { by, because }: Pause): string {
  return because === null ? `${what} by ${by}` : `${what} by ${by}: ${because}`;
}
