import { isWaitingForBase } from './checking/compare-with-base.ts';
import { nameOf, type TaskId } from './ids.ts';
import { operatorCommand } from './operator-command.ts';
import type { Reason } from './reason.ts';
import {
  type Closed,
  type Ended,
  isClosed,
  isCompleted,
  type Task,
  type TaskState,
} from './task.ts';
import { isOpen, isOwnPullRequest, knownPullRequest, type Thread } from './thread.ts';
import type { Why } from './why.ts';

/** What a person can do about a task that no rule holds back, or null when there is nothing to do. */
export function nextStep(
  task: Task,
  thread: Thread,
  { proposed, wait }: { readonly proposed: readonly TaskId[]; readonly wait: string | null },
): string | null {
  const [first] = proposed;
  if (first !== undefined) return approving(task.id, first, proposed.length);
  if (!isClosed(task.state)) return null;
  if (!isCompleted(task.state)) return reopening(task.id);
  const pr = knownPullRequest(thread.forge.pr);
  if (!pr || !isOpen(thread)) return null;
  const name = nameOf('thread', thread.id);
  if (!isOwnPullRequest(pr))
    return `merge ${pr.url}, then record the merge with: ${operatorCommand('thread mark-merged', name)}`;
  if (isWaitingForBase(thread))
    return `check it again with: ${operatorCommand('thread recheck', name)}`;
  if (thread.handedOver)
    return `hand the thread back with: ${operatorCommand('thread handback', name)}`;
  if (thread.tasks.length > 0) return null;
  const merging = `to merge it once its checks pass: ${operatorCommand('thread merge', name)}; to request changes: ${operatorCommand('thread review', name)}`;
  return wait === null ? merging : `it ${wait}; ${merging}`;
}

/** Why an ended task is not running: how it ended, and what the operator can do. */
export function whyEnded({ id, state }: Ended, step: string | null): Why {
  const reason: Reason = {
    rule: 'task_closed',
    because: `it is ${state.is}: ${reasonOf(state)}`,
    frees: step ?? reopening(id),
    until: null,
  };
  const none = { claimable: false, ahead: 0, takers: [] };
  return { state: state.is, since: state.since, reasons: [reason], ...none };
}

/** A task's state and what the operator can do in it, for a refusal of something else. */
export function stateSummary({ id, state }: Task): string {
  const name = nameOf('task', id);
  return `${name} is ${state.is}; ${possible(id, state)}`;
}

function possible(id: TaskId, state: TaskState): string {
  const name = nameOf('task', id);
  switch (state.is) {
    case 'proposed':
      return `approve it with: ${operatorCommand('task approve', name)}`;
    case 'blocked':
    case 'available':
      return `see what it is waiting for: ${operatorCommand('task why', name)}`;
    case 'deferred':
      return `start it now with: ${operatorCommand('task retry', name)}`;
    case 'claimed':
    case 'running':
    case 'awaiting_approval':
      return `take it back from its worker with: ${operatorCommand('task release', name)}, or cancel it with: ${operatorCommand('task cancel', name)}`;
    case 'awaiting_input':
      return `answer it with: ${operatorCommand('task answer', name, '"…"')}`;
    case 'completed':
    case 'failed':
    case 'rejected':
    case 'cancelled':
      return reopening(id);
  }
}

function approving(task: TaskId, first: TaskId, count: number): string {
  const name = nameOf('task', task);
  const only = count > 1 ? ` (to approve only one: --only ${nameOf('task', first)})` : '';
  const [wait, pronoun] =
    count === 1 ? ['1 child waits', 'it'] : [`${count} children wait`, 'them'];
  return `${wait} for approval; approve ${pronoun} with: ${operatorCommand('task approve', name)}${only}`;
}

function reopening(task: TaskId): string {
  return `reopen it as a new task with: ${operatorCommand('task reopen', nameOf('task', task))}`;
}

function reasonOf(state: Closed): string {
  return 'rejection' in state ? state.rejection.message : state.summary;
}
