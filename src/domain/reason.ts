import type { Board } from './board.ts';
import { nextUnparkTime } from './claim-rules.ts';
import { type Instant, nameOf } from './ids.ts';
import { operatorCommand } from './operator-command.ts';
import { windowStart } from './quota.ts';
import type { Refusal, RefusalCode } from './refusal.ts';
import { isDeferred, type Task } from './task.ts';

/** A rule that holds a task back, explained for people. */
export interface Reason {
  readonly rule: RefusalCode;
  readonly because: string;
  /** What would unblock it. */
  readonly frees: string;
  /** When that happens by itself. */
  readonly until: Instant | null;
}

export function explain(
  board: Board,
  task: Task,
  { refused, because }: Refusal,
  instance = task.instance ?? task.type,
): Reason {
  const frees = FREES[refused] ?? 'the rule no longer applies';
  return {
    rule: refused,
    because,
    frees: frees
      .replaceAll('TASK', nameOf('task', task.id))
      .replaceAll('THREAD', nameOf('thread', task.thread))
      .replaceAll('PROJECT', task.project)
      .replaceAll('INSTANCE', instance),
    until: untilOf(board, task, refused),
  };
}

function untilOf(board: Board, task: Task, rule: RefusalCode): Instant | null {
  if (rule === 'not_due' && isDeferred(task.state)) return task.state.until;
  if (rule === 'invoker_parked') return nextUnparkTime(board, task.project);
  if (rule === 'no_credit') return windowStart(board.hall.window + 1);
  return null;
}

const FREES: Partial<Record<RefusalCode, string>> = {
  needs_approval: `it is approved with: ${operatorCommand('task approve', 'TASK')}`,
  waits_for_dependency: `the threads it waits for are done, or its dependencies change with: ${operatorCommand('task edit', 'TASK', '--depends-on', '…')}`,
  not_due: `it is retried with: ${operatorCommand('task retry', 'TASK')}, or its deferral ends`,
  waits_for_answer: `the question is answered with: ${operatorCommand('task answer', 'TASK', '"…"')}`,
  held_by_run: `the run ends, or the task is released with: ${operatorCommand('task release', 'TASK')}`,
  task_closed: `it is reopened as a new task with: ${operatorCommand('task reopen', 'TASK')}`,
  thread_handed_over: `the thread is handed back with: ${operatorCommand('thread handback', 'THREAD')}`,
  thread_busy: 'the other run in the thread ends',
  behind_in_thread: 'the earlier task of the thread ends',
  hall_paused: `the hall is resumed with: ${operatorCommand('resume')}`,
  hall_draining: `the hall is restarted, or resumed with: ${operatorCommand('resume')}`,
  project_paused: `the project is resumed with: ${operatorCommand('project resume', 'PROJECT')}`,
  project_at_capacity: 'a run of the project ends, or its max_workers is raised',
  unknown_project: 'the project is added again',
  instance_paused: `the instance is resumed with: ${operatorCommand('agents resume', 'INSTANCE')}`,
  instance_at_capacity: 'one of its runs ends, or its parallel limit is raised',
  labels_prefer_others: 'an instance that matches more labels claims it',
  project_not_allowed: 'a worker of INSTANCE that may work in PROJECT claims it',
  worker_busy: 'its run ends, or another worker of INSTANCE claims it',
  worker_draining: 'another worker of INSTANCE is registered and claims it',
  no_worker: 'a worker of INSTANCE is registered and claims it',
  no_invoker:
    'an invoker for PROJECT is declared or resumed, or a worker that brings its own model claims it',
  invoker_parked: `an invoker is resumed with: ${operatorCommand('invokers resume', '…')}, another one pays for PROJECT, or the provider's limit resets`,
  no_credit: 'an invoker is added, a cap is raised, or the next week begins',
};
