import type { Board } from '../board.ts';
import type { HallEvent } from '../event.ts';
import type { Instant, ThreadId } from '../ids.ts';
import type { Row } from '../row.ts';
import { knownPullRequest, type Thread } from '../thread.ts';

/**
 * What the hall did about an issue or a pull request of a forge. It outlives the thread, so that a label
 * or a comment counts once, however often the forge shows it.
 */
export interface IssueRecord {
  readonly key: string;
  readonly project: string;
  /** The thread of the issue, open or not; null while nothing was posted for it. */
  readonly thread: ThreadId | null;
  readonly seen: ReadPosition;
  /** For a pull request: the issue that it is looked at with, so that nothing on it is read twice. */
  readonly home?: { readonly repo: string; readonly number: number };
  /** When work was last asked for here, as far as a limit needs it. */
  readonly triggers?: readonly Instant[];
  /** The thread ended, and the forge does not show it yet. */
  readonly unsettled?: true;
}

/** How far the hall has read an issue and its pull request. */
export interface ReadPosition {
  /** The last comment and the last review, by the forge's ids, which only grow. */
  readonly comment: number;
  readonly review: number;
  /** The ids of the label and assignment events that were acted on and still stand. */
  readonly events: readonly string[];
}

export const NOTHING_READ: ReadPosition = { comment: 0, review: 0, events: [] };

/** The name of an issue or pull request on all forges: they share one sequence of numbers. */
export function issueKey(repo: string, number: number): string {
  return `${repo}#${number}`;
}

/**
 * Where an issue and its pull request are read while their thread is open: at the issue. If each were read by
 * itself, a review or a comment on the pull request would count twice.
 */
export function homeOf(
  board: Board,
  repo: string,
  number: number,
): { readonly repo: string; readonly number: number } {
  const record = board.issues.get(issueKey(repo, number));
  const isOpen = record?.thread != null && board.threads.has(record.thread);
  return (isOpen ? record.home : undefined) ?? { repo, number };
}

type IssueEvent = Extract<HallEvent, { type: 'IssueSeen' | 'IssueForgotten' }>;

export function evolveIssues(board: Board, event: IssueEvent): readonly Row[] {
  if (event.type === 'IssueSeen') {
    return [...putIssue(board, event.issue), ...alsoRead(board, event.issue)];
  }
  board.issues.delete(event.issue);
  return [{ table: 'issue', key: event.issue, row: null }];
}

/** Who reads an issue reads its pull request too, which is read by itself once the thread has ended. */
function alsoRead(board: Board, { key, thread: id, seen }: IssueRecord): readonly Row[] {
  const thread = board.threads.get(id ?? NO_THREAD);
  const pr = knownPullRequest(thread?.forge.pr ?? null);
  const repo = board.projects.get(thread?.project ?? '')?.settings.repo ?? '';
  const record = pr && board.issues.get(issueKey(repo, pr.number));
  if (!record || record.key === key) return [];
  const comment = Math.max(seen.comment, record.seen.comment);
  const review = Math.max(seen.review, record.seen.review);
  if (comment === record.seen.comment && review === record.seen.review) return [];
  return putIssue(board, { ...record, seen: { ...record.seen, comment, review } });
}

const NO_THREAD = 0 as ThreadId;

/** A thread ended: its issue is to show that. */
export function unsettleIssue(board: Board, { id, forge }: Thread): readonly Row[] {
  const { issue } = forge;
  const record = issue?.repo && board.issues.get(issueKey(issue.repo, issue.number));
  if (!record || record.thread !== id) return [];
  return putIssue(board, { ...record, unsettled: true });
}

export function putIssue(board: Board, issue: IssueRecord): readonly Row[] {
  board.issues.set(issue.key, issue);
  return [{ table: 'issue', key: issue.key, row: issue }];
}
