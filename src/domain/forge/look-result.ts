import type { Board } from '../board.ts';
import type { HallEvent } from '../event.ts';
import type { Instant, ThreadId } from '../ids.ts';
import type { Project } from '../project.ts';
import type { Thread } from '../thread.ts';
import type { Workforce } from '../why-unclaimed.ts';
import { type IssueRecord, issueKey, NOTHING_READ, type ReadPosition } from './issue-record.ts';
import type { Rights } from './rights.ts';
import type { ForgeSnapshot } from './snapshot.ts';
import { withTrigger } from './trigger-budget.ts';

/** What a look found, with everything that a decision about it needs. */
export interface LookResult {
  /** `github:acme/shop`. */
  readonly repo: string;
  /** The number that was looked at: of the issue, or of a pull request without one. */
  readonly number: number;
  readonly project: Project;
  readonly snapshot: ForgeSnapshot;
  /** The head of the branch that the board knew when the look began; null when it knew none. */
  readonly headBefore: string | null;
  readonly rights: Rights;
  /** What they may do in the repository that the issue names as its target; absent where it names none. */
  readonly targetRights?: Rights;
  /** The workers that could take a task now, for `/why`. */
  readonly workforce: Workforce;
}

export function recordOf(board: Board, { repo, number, project }: LookResult): IssueRecord {
  const key = issueKey(repo, number);
  return board.issues.get(key) ?? { key, project: project.name, thread: null, seen: NOTHING_READ };
}

/** The open thread of the issue. */
export function openThreadOf(board: Board, result: LookResult): Thread | undefined {
  const { thread } = recordOf(board, result);
  return thread === null ? undefined : board.threads.get(thread);
}

/** The event that remembers a request for work, and how far the issue was read. */
export function triggeredEvent(
  before: IssueRecord,
  {
    seen,
    thread,
    at,
  }: {
    readonly seen: Partial<ReadPosition>;
    readonly thread: ThreadId | null;
    readonly at: Instant;
  },
): HallEvent {
  const { unsettled: _, ...record } = before;
  const triggers = withTrigger(before, at);
  return {
    type: 'IssueSeen',
    issue: { ...record, thread, triggers, seen: { ...before.seen, ...seen } },
  };
}

/** The event that remembers how far the issue was read; none if nothing is new. */
export function seenEvents(
  before: IssueRecord,
  seen: Partial<ReadPosition>,
  thread: ThreadId | null = before.thread,
): readonly HallEvent[] {
  const { unsettled: _, ...record } = before;
  const after: IssueRecord = { ...record, thread, seen: { ...before.seen, ...seen } };
  const isSame = after.thread === before.thread && isSameSeen(after.seen, before.seen);
  return isSame ? [] : [{ type: 'IssueSeen', issue: after }];
}

function isSameSeen(a: ReadPosition, b: ReadPosition): boolean {
  return a.comment === b.comment && a.review === b.review && a.events.join() === b.events.join();
}
