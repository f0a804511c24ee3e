import type { Board } from '../board.ts';
import { reportBranchUpdated } from '../checking/update-branch.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { afterClosing } from '../merging/closed.ts';
import { recordMerge } from '../merging/merged.ts';
import { cancel } from '../operator-actions.ts';
import { isRefusal } from '../refusal.ts';
import { knownPullRequest, type Thread } from '../thread.ts';
import { type LookResult, openThreadOf } from './look-result.ts';
import { actorOf } from './rights.ts';
import type { PullSnapshot } from './snapshot.ts';

/** The pull request as the forge has it: found, merged, closed, or with another head. */
export function takePullRequest(
  board: Board,
  closed: ClosedWork,
  result: LookResult,
  now: Now,
): Decision<ThreadId | null> {
  const thread = openThreadOf(board, result);
  const { pull } = result.snapshot;
  if (!thread || !pull) return decide(null, []);
  const known = knownPullRequest(thread.forge.pr);
  if (known === null) return found(thread, pull);
  switch (pull.state) {
    case 'merged':
      return merged(board, closed, { thread, pull, result }, now);
    case 'closed':
      return closedThere(board, closed, { thread, pull, result }, now);
    case 'open':
      return moved(board, { thread, pull, result }, now);
  }
}

/** Someone opened it before the hall did, or the hall opened it and stopped before it could say so. */
function found({ id, forge }: Thread, { number, url, branch, state }: PullSnapshot) {
  const isOurs = forge.branch === branch && state === 'open' && forge.pr?.state === 'opening';
  const events: readonly HallEvent[] = isOurs
    ? [{ type: 'PullRequestOpened', thread: id, pr: { number, url } }]
    : [];
  return decide(id, events);
}

interface Seen {
  readonly thread: Thread;
  readonly pull: PullSnapshot;
  readonly result: LookResult;
}

/** Whoever merged it, its work is done: what is still open in the thread ends. */
function merged(
  board: Board,
  closed: ClosedWork,
  { thread, pull, result }: Seen,
  now: Now,
): Decision<ThreadId> {
  const by = pull.endedBy ? actorOf(result.repo, pull.endedBy) : now.actor;
  if (thread.tasks.length === 0) {
    return recordMerge(board, { thread: thread.id, isForced: false }, { ...now, actor: by });
  }
  return cancelAll(board, closed, thread, { because: 'its pull request was merged', now });
}

/** Ends one task after another: a later look finds the next, and then the pull request itself. */
function cancelAll(
  board: Board,
  closed: ClosedWork,
  thread: Thread,
  { because, now }: { readonly because: string; readonly now: Now },
): Decision<ThreadId> {
  const [task] = thread.tasks;
  if (task === undefined) return decide(thread.id, []);
  const { events, answer } = cancel(board, closed, { task, because }, now);
  return isRefusal(answer) ? { events: [], answer } : decide(thread.id, events);
}

function closedThere(
  board: Board,
  closed: ClosedWork,
  { thread, pull, result }: Seen,
  now: Now,
): Decision<ThreadId> {
  const by = pull.endedBy ? actorOf(result.repo, pull.endedBy) : 'the forge';
  if (thread.tasks.length > 0) {
    return cancelAll(board, closed, thread, { because: `${by} closed its pull request`, now });
  }
  if (afterClosing(thread).state !== 'ended') return decide(thread.id, []);
  return decide(thread.id, [{ type: 'PullRequestClosed', thread: thread.id }]);
}

/**
 * A person pushed to the branch, or the forge updated it. A run that pushed reports its commit itself, so a look
 * that began before that report says nothing.
 */
function moved(
  board: Board,
  { thread: { id, forge }, pull: { head }, result }: Seen,
  now: Now,
): Decision<ThreadId> {
  const isStale = forge.head !== result.headBefore;
  if (forge.head === null || forge.head === head || isStale) return decide(id, []);
  return reportBranchUpdated(board, { thread: id, from: forge.head, commit: head }, now);
}
