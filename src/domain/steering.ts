import type { Board } from './board.ts';
import { type Decision, decide, type Now, no } from './decision.ts';
import type { HallEvent } from './event.ts';
import { nameOf, type TaskId, type ThreadId } from './ids.ts';
import { giveBack } from './lease.ts';
import { standing } from './next-step.ts';
import type { Recollection } from './posting.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { followUp } from './reviewing.ts';
import { isOncePerThread } from './skill.ts';
import {
  doneAgain,
  doneCascade,
  shortened,
  stateToStart,
  wayBack,
  withoutChild,
} from './splitting.ts';
import {
  awaitsInput,
  isClosed,
  isDeferred,
  isHeld,
  isProposed,
  type Task,
  type TaskState,
} from './task.ts';
import { awaitsChildren, isDone, type Thread } from './thread.ts';

/** A task that has not ended, or the refusal that tells a closed one from an unknown one. */
export function openTask(board: Board, recalled: Recollection, id: TaskId): Task | Refusal {
  const task = board.tasks.get(id);
  if (task) return task;
  const closed = board.closing.tasks.get(id) ?? recalled.task(id);
  const name = nameOf('task', id);
  if (closed) return refuse('task_closed', standing(closed));
  return refuse('unknown_task', `there is no task ${name}`);
}

/** Ends a task for good. A worker that has it learns it from its next call. */
export function cancel(
  board: Board,
  recalled: Recollection,
  { task: id, because }: { readonly task: TaskId; readonly because: string },
  now: Now,
): Decision<TaskId> {
  const task = openTask(board, recalled, id);
  if (isRefusal(task)) return no(task);
  const summary = because.trim() === '' ? `${now.actor} gave no reason` : because;
  const state: TaskState = { is: 'cancelled', since: now.at, by: now.actor, summary };
  const thread = board.threads.get(task.thread);
  const alone = thread && thread.tasks.length === 1 && !awaitsChildren(thread);
  const again = doneAgain(board, task, state);
  const after = again.length > 0 || !alone ? again : withoutChild(board, thread, now.at);
  const run = isHeld(task.state) ? board.runs.get(task.state.run) : undefined;
  if (!run) return decide(id, [{ type: 'TaskCancelled', task: id, state }, ...after]);
  const ending = { at: now.at, how: 'cancelled' as const, because: summary };
  return decide(id, [{ type: 'RunEnded', run: run.id, ending, task: state }, ...after]);
}

/** Takes a task back from its worker; another may take it up. */
export function release(
  board: Board,
  recalled: Recollection,
  { task: id, because }: { readonly task: TaskId; readonly because: string },
  now: Now,
): Decision<TaskId> {
  const task = openTask(board, recalled, id);
  if (isRefusal(task)) return no(task);
  const run = isHeld(task.state) ? board.runs.get(task.state.run) : undefined;
  if (!run) return no(refuse('task_not_held', `no worker has it: ${standing(task)}`));
  return decide(id, giveBack(board, run, { because, now, how: 'released' }));
}

/** Lets a deferred task start now. What ended is reopened instead. */
export function retryNow(
  board: Board,
  recalled: Recollection,
  id: TaskId,
  now: Now,
): Decision<TaskId> {
  const task = openTask(board, recalled, id);
  if (isRefusal(task)) return no(task);
  if (!isDeferred(task.state)) {
    return no(refuse('task_not_deferred', `nothing is put off: ${standing(task)}`));
  }
  const state = stateToStart(board, task.thread, now.at);
  return decide(id, [{ type: 'TaskRetried', task: id, state }]);
}

export function answer(
  board: Board,
  recalled: Recollection,
  { task: id, text }: { readonly task: TaskId; readonly text: string },
  now: Now,
): Decision<TaskId> {
  const task = openTask(board, recalled, id);
  if (isRefusal(task)) return no(task);
  if (!awaitsInput(task.state)) {
    const because = `it asked nothing: ${standing(task)}`;
    return no(refuse('task_not_waiting_for_answer', because));
  }
  const state = stateToStart(board, task.thread, now.at);
  return decide(id, [{ type: 'TaskAnswered', task: id, state, answer: text }]);
}

/** Lets proposed tasks start: this one, or those proposed by the decomposition of this one. */
export function approve(
  board: Board,
  recalled: Recollection,
  { task: id, only }: { readonly task: TaskId; readonly only: readonly TaskId[] | null },
  now: Now,
): Decision<readonly TaskId[]> {
  const task = board.tasks.get(id) ?? board.closing.tasks.get(id) ?? recalled.task(id);
  if (!task) return no(refuse('unknown_task', `there is no task ${nameOf('task', id)}`));
  const candidates = isProposed(task.state) ? [task] : proposedUnder(board, task.thread);
  const chosen = candidates.filter((candidate) => only === null || only.includes(candidate.id));
  if (chosen.length === 0 || (only && chosen.length < only.length)) {
    return no(refuse('nothing_proposed', nothingProposed(id, candidates, only)));
  }
  const events = chosen.map((each): HallEvent => {
    const state = stateToStart(board, each.thread, now.at);
    return { type: 'TaskApproved', task: each.id, state };
  });
  return decide(
    chosen.map((each) => each.id),
    events,
  );
}

function nothingProposed(
  id: TaskId,
  candidates: readonly Task[],
  only: readonly TaskId[] | null,
): string {
  const proposed = candidates.map((task) => nameOf('task', task.id)).join(', ');
  if (!proposed) return `nothing under ${nameOf('task', id)} waits for approval`;
  const asked = (only ?? []).map((task) => nameOf('task', task)).join(', ');
  return `of ${asked} not all wait for approval; these do: ${proposed}`;
}

function proposedUnder(board: Board, parent: ThreadId): readonly Task[] {
  return [...board.tasks.values()].filter(
    (task) => isProposed(task.state) && board.threads.get(task.thread)?.parent === parent,
  );
}

interface Reopening {
  readonly task: TaskId;
  readonly title: string;
  readonly body: string;
}

/** A closed task is final: going on makes a new task, linked to it, at the thread's old place. */
export function reopen(
  board: Board,
  recalled: Recollection,
  { task: id, title, body }: Reopening,
  now: Now,
): Decision<TaskId> {
  const before = board.tasks.get(id) ?? board.closing.tasks.get(id) ?? recalled.task(id);
  if (!before) return no(refuse('unknown_task', `there is no task ${nameOf('task', id)}`));
  if (!isClosed(before.state)) {
    return no(refuse('task_not_closed', `it has not ended: ${standing(before)}`));
  }
  const live = board.threads.get(before.thread);
  const same = live && sameWork(board, live, before);
  if (same) return no(same);
  const thread = live ?? board.closing.threads.get(before.thread) ?? recalled.thread(before.thread);
  if (!thread || !board.projects.has(before.project)) {
    return no(refuse('unknown_project', `project ${before.project} is not registered any more`));
  }
  const waits = live ? live.waits : stillWaits(board, recalled, thread);
  const round = live ? undefined : circle(board, thread, waits);
  if (round) return no(round);
  const parent = parentStillOpen(board, thread);
  const opening: HallEvent[] = live
    ? []
    : [{ type: 'ThreadReopened', thread: { ...thread, waits, parent } }];
  const task = (board.seq + 1 + opening.length) as TaskId;
  const { postedAt: _p, crashes: _c, waited: _w, ...facts } = before;
  const state: TaskState = { is: waits.length > 0 ? 'blocked' : 'available', since: now.at };
  const posted = { ...facts, id: task, actor: now.actor, reopens: id, state, title, body };
  return decide(task, [...opening, { type: 'TaskPosted', task: posted, opens: null }]);
}

/** Two people reopen the same, or one hands its thread back and reopens what failed in it: once is enough. */
function sameWork(board: Board, { tasks }: Thread, { id, skill }: Task): Refusal | undefined {
  const once = isOncePerThread(skill);
  const open = tasks
    .map((other) => board.tasks.get(other))
    .find((task) => task?.reopens === id || (once && task?.skill === skill));
  if (!open) return undefined;
  const name = nameOf('task', open.id);
  return refuse('task_not_closed', `${name} does the same in its thread: ${standing(open)}`);
}

function stillWaits(board: Board, recalled: Recollection, thread: Thread): readonly ThreadId[] {
  return thread.after.filter((id) => {
    const other = board.threads.get(id) ?? board.closing.threads.get(id) ?? recalled.thread(id);
    return !other || !isDone(other);
  });
}

/** A parent that is closed has counted its children for good, so this one goes on by itself. */
function parentStillOpen(board: Board, { parent }: Thread): ThreadId | null {
  return parent !== null && board.threads.has(parent) ? parent : null;
}

/** While it was closed, what it waits for may have come to wait for it. */
function circle(board: Board, thread: Thread, waits: readonly ThreadId[]): Refusal | undefined {
  const above = thread.parent === null ? [thread.id] : [thread.id, thread.parent];
  for (const wait of waits) {
    for (const id of above) {
      const round = wayBack(board, id, wait);
      if (!round) continue;
      const names = shortened(round.map((each) => nameOf('thread', each))).join(' → ');
      return refuse(
        'dependency_cycle',
        `${names} would wait for itself; change what they depend on`,
      );
    }
  }
  return undefined;
}

/** A person takes the thread over: its runs stop and nothing in it starts until it is handed back. */
export function handOver(
  board: Board,
  { thread: id, because }: { readonly thread: ThreadId; readonly because: string | null },
  now: Now,
): Decision<ThreadId> {
  const thread = board.threads.get(id);
  if (!thread) return no(refuse('unknown_thread', `no open thread is ${nameOf('thread', id)}`));
  if (thread.handedOver) return decide(id, []);
  const pause = { since: now.at, by: now.actor, because };
  const why = because === null ? 'handed over' : `handed over: ${because}`;
  const runs = (board.runsIn.get(id) ?? []).map((run) => board.runs.get(run));
  const ended = runs
    .filter((run) => run !== undefined)
    .flatMap((run) => giveBack(board, run, { because: why, now, how: 'released' }));
  return decide(id, [
    { type: 'ThreadChanged', thread: id, change: { handedOver: pause } },
    ...ended,
  ]);
}

export function handBack(board: Board, id: ThreadId, now: Now): Decision<ThreadId> {
  const thread = board.threads.get(id);
  if (!thread) return no(refuse('unknown_thread', `no open thread is ${nameOf('thread', id)}`));
  if (!thread.handedOver) return decide(id, []);
  const { forge } = thread;
  const isPulled = forge.pr !== null;
  const change = { handedOver: null, ...(isPulled && { fresh: true as const }) };
  const back = { ...thread, handedOver: null, forge: { ...forge, rounds: 0, ciRetries: 0 } };
  return decide(id, [
    { type: 'ThreadChanged', thread: id, change },
    ...followUp(board, back, { ...now, seq: board.seq + 2 }),
  ]);
}

/** The pull request of a thread was merged. */
export function land(board: Board, id: ThreadId, now: Now): Decision<ThreadId> {
  const thread = board.threads.get(id);
  if (!thread?.forge.pr) return no(refuse('nothing_to_land', notLanding(id, thread)));
  const done = thread.tasks.length === 0 && thread.childrenDone >= thread.children;
  return decide(id, [
    { type: 'ThreadLanded', thread: id },
    ...(done ? doneCascade(board, id, now.at) : []),
  ]);
}

function notLanding(id: ThreadId, thread: Thread | undefined): string {
  const name = nameOf('thread', id);
  if (!thread) return `${name} is closed; guildhall thread show ${name} says how it ended`;
  return `${name} has no pull request; a run that opens one reports pr_created with its pr and branch`;
}
