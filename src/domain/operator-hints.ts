import { nameOf, type TaskId } from './ids.ts';
import {
  type Closed,
  type Ended,
  isClosed,
  isCompleted,
  type Task,
  type TaskState,
} from './task.ts';
import { isOpen, isOwnPullRequest, type Thread } from './thread.ts';

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
  const { pr } = thread.forge;
  if (!pr || !isOpen(thread)) return null;
  const name = nameOf('thread', thread.id);
  if (!isOwnPullRequest(pr))
    return `merge ${pr.url}; guildhall thread mark-merged ${name} tells the hall so`;
  if (thread.handedOver) return `guildhall thread handback ${name} lets the hall go on`;
  if (thread.tasks.length > 0) return null;
  const merging = `guildhall thread merge ${name} merges it once its checks are green, guildhall thread review ${name} asks for changes`;
  return wait === null ? merging : `it ${wait}; ${merging}`;
}

/** Why an ended task will not run although no rule holds it back, and what the operator can do. */
export function endedSummary({ id, state }: Ended, step: string | null): string {
  const name = nameOf('task', id);
  return `${name} is ${state.is}: ${reasonOf(state)}; ${step ?? reopening(id)}`;
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
      return `guildhall task approve ${name} lets it start`;
    case 'blocked':
    case 'available':
      return `guildhall task why ${name} says what it waits for`;
    case 'deferred':
      return `guildhall task retry ${name} lets it start now`;
    case 'claimed':
    case 'running':
    case 'awaiting_approval':
      return `guildhall task release ${name} takes it back from its worker, guildhall task cancel ${name} ends it`;
    case 'awaiting_input':
      return `guildhall task answer ${name} "…" lets it go on`;
    case 'completed':
    case 'failed':
    case 'rejected':
    case 'cancelled':
      return reopening(id);
  }
}

function approving(task: TaskId, first: TaskId, count: number): string {
  const name = nameOf('task', task);
  const only = count > 1 ? `, with --only ${nameOf('task', first)} one of them` : '';
  const [wait, them] = count === 1 ? ['1 child waits', 'it'] : [`${count} children wait`, 'them'];
  return `${wait} for approval: guildhall task approve ${name} lets ${them} start${only}`;
}

function reopening(task: TaskId): string {
  return `guildhall task reopen ${nameOf('task', task)} makes a new task of it`;
}

function reasonOf(state: Closed): string {
  return 'rejection' in state ? state.rejection.message : state.summary;
}
