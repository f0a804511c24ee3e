import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { ThreadId } from '../ids.ts';
import { cancel } from '../operator-actions.ts';
import { isRefusal } from '../refusal.ts';
import { isWorkedOn } from '../sources/withdraw-item.ts';
import { issueKey } from './issue-record.ts';
import { type LookResult, openThreadOf, recordOf, seenEvents } from './look-result.ts';

/**
 * A closed issue needs no more work: its open tasks are cancelled, one at each call. A pull request of
 * the thread is left to people, and so is a run for an item of a task source.
 */
export function takeClosedIssue(
  board: Board,
  closed: ClosedWork,
  result: LookResult,
  now: Now,
): Decision<ThreadId | null> {
  const { issue } = result.snapshot;
  const thread = openThreadOf(board, result);
  const [task] = thread?.tasks ?? [];
  if (!issue || issue.isOpen || !thread || task === undefined) return decide(null, []);
  if (board.itemOf.has(thread.id) && isWorkedOn(board, thread)) return decide(null, []);
  const because = 'its issue was closed';
  const { events, answer } = cancel(board, closed, { task, because }, now);
  return isRefusal(answer) ? { events: [], answer } : decide(thread.id, events);
}

const STATE_LABELS = ['hall:awaiting-input', 'hall:queued', 'hall:invoker-queued'];

/** Labels that show a state and that a person set or took off are put right by the next update. */
export function noticeEditedLabels(board: Board, result: LookResult): Decision<null> {
  const { issue } = result.snapshot;
  const thread = openThreadOf(board, result);
  const written = thread?.forge.written?.labels;
  if (!issue || !thread || written === undefined) return decide(null, []);
  const labels = issue.labels.map(({ name }) => name).filter((name) => STATE_LABELS.includes(name));
  const isSame = labels.toSorted().join() === written.toSorted().join();
  if (isSame) return decide(null, []);
  return decide(null, [{ type: 'ForgeWritten', thread: thread.id, written: { labels } }]);
}

/** Nobody can ask for the work of a deleted issue any more. */
export function takeDeletedIssue(
  board: Board,
  closed: ClosedWork,
  { repo, number }: { readonly repo: string; readonly number: number },
  now: Now,
): Decision<ThreadId | null> {
  const key = issueKey(repo, number);
  const record = board.issues.get(key);
  const thread = record?.thread == null ? undefined : board.threads.get(record.thread);
  if (record && !thread) return decide(null, [{ type: 'IssueForgotten', issue: key }]);
  const [task] = thread?.tasks ?? [];
  if (!thread || task === undefined) return decide(null, []);
  const { events, answer } = cancel(board, closed, { task, because: 'its issue was deleted' }, now);
  return isRefusal(answer) ? { events: [], answer } : decide(thread.id, events);
}

/** A trigger label that is gone can trigger again once it is set again. */
export function forgetRemovedLabels(board: Board, result: LookResult): Decision<null> {
  const record = recordOf(board, result);
  const { issue, pull } = result.snapshot;
  const set = [...(issue?.labels ?? []), ...(pull?.labels ?? []), ...(issue?.assignees ?? [])].map(
    ({ event }) => event,
  );
  const isRequest = (event: string) =>
    pull !== null && event.startsWith('review-requested-') && event.endsWith(pull.head);
  const events = record.seen.events.filter((event) => set.includes(event) || isRequest(event));
  return decide(null, seenEvents(record, { events }));
}
