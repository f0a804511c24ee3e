import type { Board } from './board.ts';
import { nextUnparkTime } from './claim-rules.ts';
import { type Instant, nameOf } from './ids.ts';
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
  const frees = FREES[refused] ?? 'nothing has to be done';
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
  instance_paused: 'guildhall agents resume INSTANCE',
  instance_at_capacity: 'one of its runs ends, or its parallel is raised',
  labels_prefer_others: 'the instances that match more labels take it',
  project_not_allowed: 'a worker of INSTANCE that works in PROJECT asks for work',
  worker_busy: 'its run ends, or another worker of INSTANCE asks for work',
  worker_draining: 'another worker of INSTANCE registers and asks for work',
  no_worker: 'a worker of INSTANCE registers and asks for work',
  no_invoker:
    'an invoker for PROJECT is declared or resumed, or a worker that brings its own model asks',
  invoker_parked:
    'the limit of the provider opens again, guildhall invokers resume …, or another invoker pays for PROJECT',
  no_credit: 'the week ends, an invoker is added or a cap is raised',
};
