import type { Board } from './board.ts';
import { afterRecheck, forgetBase } from './checking/recheck.ts';
import { checksAreRed } from './checking/status.ts';
import type { ClosedWork } from './closed-work.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { startState } from './dependencies/unblock.ts';
import type { HallEvent, ThreadChange } from './event.ts';
import { onOpenTask, onTask } from './find-task.ts';
import { nameOf, type TaskId, type ThreadId } from './ids.ts';
import { releaseRun } from './lost-worker.ts';
import { stateSummary } from './operator-hints.ts';
import { followUp } from './pull-request-follow-up.ts';
import { refuse } from './refusal.ts';
import { afterUnfinishedTask, withoutChild } from './splitting.ts';
import {
  isAwaitingInput,
  isDeferred,
  isHeld,
  isProposed,
  type Task,
  type TaskState,
} from './task.ts';
import { awaitsChildren } from './thread.ts';

/** Ends a task for good. The worker that holds it finds out with its next call. */
export function cancel(
  board: Board,
  recalled: ClosedWork,
  { task: id, because }: { readonly task: TaskId; readonly because: string },
  now: Now,
): Decision<TaskId> {
  return onOpenTask(board, recalled, id, (task) => {
    const summary = because.trim() === '' ? `${now.actor} gave no reason` : because;
    const state: TaskState = { is: 'cancelled', since: now.at, by: now.actor, summary };
    const thread = board.threads.get(task.thread);
    const alone = thread && thread.tasks.length === 1 && !awaitsChildren(thread);
    const threadEvents = afterUnfinishedTask(board, task, state);
    const after =
      threadEvents.length > 0 || !alone ? threadEvents : withoutChild(board, thread, now.at);
    const run = isHeld(task.state) ? board.runs.get(task.state.run) : undefined;
    if (!run) return decide(id, [{ type: 'TaskCancelled', task: id, state }, ...after]);
    const ending = { at: now.at, how: 'cancelled' as const, because: summary };
    return decide(id, [{ type: 'RunEnded', run: run.id, ending, task: state }, ...after]);
  });
}

/** Takes a task back from its worker; another may claim it. */
export function release(
  board: Board,
  recalled: ClosedWork,
  { task: id, because }: { readonly task: TaskId; readonly because: string },
  now: Now,
): Decision<TaskId> {
  return onOpenTask(board, recalled, id, (task) => {
    const run = isHeld(task.state) ? board.runs.get(task.state.run) : undefined;
    if (!run)
      return refuseWith(
        refuse('task_not_held', `only a claimed task can be released: ${stateSummary(task)}`),
      );
    return decide(id, releaseRun(board, run, { because, now, how: 'released' }));
  });
}

/** Lets a deferred task start now. An ended task must be reopened instead. */
export function retry(board: Board, recalled: ClosedWork, id: TaskId, now: Now): Decision<TaskId> {
  return onOpenTask(board, recalled, id, (task) => {
    if (!isDeferred(task.state)) {
      return refuseWith(
        refuse('task_not_deferred', `only a deferred task can be retried: ${stateSummary(task)}`),
      );
    }
    const state = startState(board, task.thread, now.at);
    return decide(id, [{ type: 'TaskRetried', task: id, state }]);
  });
}

export function answer(
  board: Board,
  recalled: ClosedWork,
  { task: id, text }: { readonly task: TaskId; readonly text: string },
  now: Now,
): Decision<TaskId> {
  return onOpenTask(board, recalled, id, (task) => {
    if (!isAwaitingInput(task.state)) {
      const because = `only a task that asked a question can be answered: ${stateSummary(task)}`;
      return refuseWith(refuse('task_not_waiting_for_answer', because));
    }
    const state = startState(board, task.thread, now.at);
    return decide(id, [{ type: 'TaskAnswered', task: id, state, answer: text }]);
  });
}

/** Lets proposed tasks start: this task, or the children proposed by its decomposition. */
export function approve(
  board: Board,
  recalled: ClosedWork,
  { task: id, only }: { readonly task: TaskId; readonly only: readonly TaskId[] | null },
  now: Now,
): Decision<readonly TaskId[]> {
  return onTask(board, recalled, id, (task) => {
    const candidates = isProposed(task.state) ? [task] : proposedUnder(board, task.thread);
    const chosen = candidates.filter((candidate) => only === null || only.includes(candidate.id));
    if (chosen.length === 0 || (only && chosen.length < only.length)) {
      return refuseWith(refuse('nothing_proposed', nothingProposed(id, candidates, only)));
    }
    const events = chosen.map((each): HallEvent => {
      const state = startState(board, each.thread, now.at);
      return { type: 'TaskApproved', task: each.id, state };
    });
    return decide(
      chosen.map((each) => each.id),
      events,
    );
  });
}

function nothingProposed(
  id: TaskId,
  candidates: readonly Task[],
  only: readonly TaskId[] | null,
): string {
  const proposed = candidates.map((task) => nameOf('task', task.id)).join(', ');
  if (!proposed) return `neither ${nameOf('task', id)} nor its children are waiting for approval`;
  const requested = (only ?? []).map((task) => nameOf('task', task)).join(', ');
  return `not all of ${requested} are waiting for approval; these are: ${proposed}`;
}

function proposedUnder(board: Board, parent: ThreadId): readonly Task[] {
  return [...board.tasks.values()].filter(
    (task) => isProposed(task.state) && board.threads.get(task.thread)?.parent === parent,
  );
}

/** A person takes the thread over: its runs stop and nothing in it starts until the handback. */
export function handOver(
  board: Board,
  { thread: id, because }: { readonly thread: ThreadId; readonly because: string | null },
  now: Now,
): Decision<ThreadId> {
  const thread = board.threads.get(id);
  if (!thread)
    return refuseWith(refuse('unknown_thread', `there is no open thread ${nameOf('thread', id)}`));
  if (thread.handedOver) return decide(id, []);
  const pause = { since: now.at, by: now.actor, because };
  const why = because === null ? 'handed over' : `handed over: ${because}`;
  const runs = (board.runsIn.get(id) ?? []).map((run) => board.runs.get(run));
  const ended = runs
    .filter((run) => run !== undefined)
    .flatMap((run) => releaseRun(board, run, { because: why, now, how: 'released' }));
  return decide(id, [
    { type: 'ThreadChanged', thread: id, change: { handedOver: pause } },
    ...ended,
  ]);
}

export function handBack(board: Board, id: ThreadId, now: Now): Decision<ThreadId> {
  const thread = board.threads.get(id);
  if (!thread)
    return refuseWith(refuse('unknown_thread', `there is no open thread ${nameOf('thread', id)}`));
  if (!thread.handedOver) return decide(id, []);
  const isPulled = thread.forge.pr !== null;
  // Whatever the person changed may have fixed the checks, and then no agent has to be paid for it.
  const isRed = checksAreRed(thread.forge);
  const change: ThreadChange = {
    handedOver: null,
    ...(isPulled && { resetCounters: true }),
    ...(isRed && { recheck: true }),
  };
  const forge = isRed ? afterRecheck(thread.forge) : thread.forge;
  const back = { ...thread, handedOver: null, forge: { ...forge, rounds: 0, ciRetries: 0 } };
  const events: readonly HallEvent[] = [
    { type: 'ThreadChanged', thread: id, change },
    ...(isRed ? forgetBase(board, thread) : []),
  ];
  const when = { ...now, seq: board.seq + events.length + 1 };
  return decide(id, [...events, ...followUp(board, back, when)]);
}
