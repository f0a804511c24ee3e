import type { Board } from './board.ts';
import type { Waiting } from './claiming.ts';
import { creditGate, hallGate, instanceGate, projectGate, stateGate, takerGate } from './gates.ts';
import { type Instant, nameOf } from './ids.ts';
import { windowOpens } from './quota.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from './refusal.ts';
import { routeOf, takersOf } from './routing.ts';
import { isDeferred, isHeld, type Task } from './task.ts';
import type { Thread } from './thread.ts';
import { threadGate } from './thread-queue.ts';

export interface Why {
  readonly state: Task['state']['is'];
  readonly since: Instant;
  /** True when nothing but a worker asking for it is missing. */
  readonly claimable: boolean;
  readonly reasons: readonly Reason[];
  /** Tasks that would be taken before it by the same kind of worker. */
  readonly ahead: number;
  readonly takers: readonly TakerView[];
}

export interface Reason {
  readonly rule: RefusalCode;
  readonly because: string;
  /** What would free it. */
  readonly frees: string;
  /** When that happens by itself. */
  readonly until: Instant | null;
}

export interface TakerView {
  readonly instance: string;
  readonly reasons: readonly Reason[];
}

/** Why a task is not running: every gate that is shut, by the same gates that decide a claim. */
export function why(board: Board, task: Task, thread: Thread, waiting: Waiting): Why {
  const project = board.projects.get(task.project);
  const shut = [
    stateGate(board, task, thread),
    isHeld(task.state) ? undefined : threadGate(board, task, thread),
    hallGate(board),
    project
      ? projectGate(board, project)
      : refuse('unknown_project', `project ${task.project} is not registered`),
  ].filter((refusal) => refusal !== undefined);
  const takers = takersView(board, task, thread, waiting);
  const reasons = isHeld(task.state) ? shut.slice(0, 1) : [...shut, ...nobody(board, task, takers)];
  return {
    state: task.state.is,
    since: task.state.since,
    claimable: reasons.length === 0,
    reasons: reasons.map((refusal) => explain(board, task, refusal)),
    ahead: ahead(board, task, thread),
    takers,
  };
}

function takersView(
  board: Board,
  task: Task,
  thread: Thread,
  waiting: Waiting,
): readonly TakerView[] {
  const route = routeOf(board, task, thread);
  const names = takersOf(board, route).map((taker) => taker.instance);
  return names.map((name) => {
    const instance = board.instances.get(name);
    const own = instance
      ? [instanceGate(board, instance), takerGate(board, route, instance, waiting)]
      : [];
    const live = waiting.waits(name, task.project) ? undefined : absent(name);
    const credit = creditGate(board, task.project, bringsModel(board, name, task.project));
    const shut = [...own, live, isRefusal(credit) ? credit : undefined];
    return {
      instance: name,
      reasons: shut
        .filter((refusal) => refusal !== undefined)
        .map((refusal) => explain(board, task, refusal)),
    };
  });
}

function absent(name: string): Refusal {
  return refuse('no_worker', `no worker of ${name} is waiting for work`);
}

/** Somebody who works in this project as that instance and brings a model needs no invoker. */
function bringsModel(board: Board, instance: string, project: string): boolean {
  for (const { instance: name, bringsModel: brings, projects } of board.workers.values()) {
    if (name === instance && brings && (projects?.includes(project) ?? true)) return true;
  }
  return false;
}

/** The task could start, but nobody is there to start it. */
function nobody(board: Board, task: Task, takers: readonly TakerView[]): readonly Refusal[] {
  if (takers.length === 0) {
    const wanted = task.instance ?? `type ${task.type}`;
    return [refuse('no_worker', `no enabled instance of ${wanted} is allowed in ${task.project}`)];
  }
  if (takers.some((taker) => taker.reasons.length === 0)) return [];
  const names = takers.map((taker) => taker.instance).join(', ');
  const credit = creditGate(board, task.project, false);
  const unpaid = takers.every(({ reasons }) => reasons.some(({ rule }) => OF_CREDIT.has(rule)));
  return [
    refuse('no_worker', `nobody who may take it is free: ${names}`),
    ...(unpaid && isRefusal(credit) ? [credit] : []),
  ];
}

const OF_CREDIT: ReadonlySet<RefusalCode> = new Set(['no_invoker', 'no_credit']);

function ahead(board: Board, task: Task, thread: Thread): number {
  let count = 0;
  for (const { route, waiting } of board.ready.bucketsOf(task.project)) {
    if (route.type === task.type) count += waiting.rank(thread.id, task.id);
  }
  return count;
}

function explain(board: Board, task: Task, { refused, because }: Refusal): Reason {
  const frees = FREES[refused] ?? 'nothing has to be done';
  return {
    rule: refused,
    because,
    frees: frees
      .replaceAll('TASK', nameOf('task', task.id))
      .replaceAll('THREAD', nameOf('thread', task.thread))
      .replaceAll('PROJECT', task.project),
    until: untilOf(board, task, refused),
  };
}

function untilOf(board: Board, task: Task, rule: RefusalCode): Instant | null {
  if (rule === 'not_due' && isDeferred(task.state)) return task.state.until;
  if (rule === 'no_credit') return windowOpens(board.hall.window + 1);
  return null;
}

const FREES: Partial<Record<RefusalCode, string>> = {
  needs_approval: 'guildhall task approve TASK',
  waits_for_dependency:
    'the threads it waits for become done, or guildhall task edit TASK --depends-on …',
  not_due: 'the time comes, or guildhall task retry TASK',
  waits_for_answer: 'guildhall task answer TASK "…"',
  held_by_run: 'the run ends, or guildhall task release TASK',
  task_closed: 'guildhall task reopen TASK makes a new task of it',
  thread_handed_over: 'guildhall thread handback THREAD',
  thread_busy: 'the other run in the thread ends',
  behind_in_thread: 'the earlier task of the thread starts and ends',
  hall_paused: 'guildhall resume',
  hall_draining: 'guildhall resume, or the hall is started again',
  project_paused: 'guildhall project resume PROJECT',
  project_at_capacity: 'a run of the project ends, or its max_workers is raised',
  unknown_project: 'the project is registered again',
  instance_paused: 'the instance is resumed or enabled',
  instance_at_capacity: 'one of its runs ends, or its parallel is raised',
  labels_prefer_others: 'the instances that match more labels take it',
  no_worker: 'a worker of such an instance registers and asks for work',
  no_invoker: 'an invoker is declared, or a worker that brings its own model asks',
  no_credit: 'the week ends, an invoker is added or a cap is raised',
};
