import type { Board } from './board.ts';
import { afterComparison } from './checking/compare-with-base.ts';
import { afterRerun, rememberFlaky } from './checking/flaky-checks.ts';
import { afterChecks } from './checking/report-checks.ts';
import { afterBranchUpdate } from './checking/update-branch.ts';
import type { HallEvent, Recorded } from './event.ts';
import { changeThread, closeThread } from './evolve-thread.ts';
import { forgeOf } from './forge/connected-forges.ts';
import { issueKey, NOTHING_READ, putIssue } from './forge/issue-record.ts';
import type { TaskId, ThreadId } from './ids.ts';
import { afterClosing } from './merging/closed.ts';
import { afterConflict, conflictIn } from './merging/conflict.ts';
import { afterMerge } from './merging/merged.ts';
import { afterMergeRequest } from './merging/request.ts';
import { NO_TALLY, type Tally } from './project.ts';
import { afterDismissal } from './review-verdict.ts';
import { afterReview, afterWork, reviewerOf } from './reviewing.ts';
import type { Note, Row } from './row.ts';
import type { Result, Run } from './run.ts';
import type { ThreadOnForge } from './thread.ts';

type ForgeEvent = Extract<
  HallEvent,
  {
    type:
      | 'PullRequestMerged'
      | 'PullRequestClosed'
      | 'PullRequestOpened'
      | 'ForgeWritten'
      | 'ChecksReported'
      | 'ChecksRerun'
      | 'ChecksCompared'
      | 'BranchUpdated'
      | 'ReviewGiven'
      | 'ReviewDismissed'
      | 'MergeRequested'
      | 'MergeConflicted';
  }
>;

/** Applies events to a thread's pull request. The follow-up was decided together with the event. */
export function evolveForge(board: Board, event: ForgeEvent, at: Recorded): readonly Row[] {
  const { thread } = event;
  switch (event.type) {
    case 'PullRequestMerged':
      return [
        ...changeForge(board, thread, (forge) => afterMerge(forge, event.forced === true)),
        ...othersAreBehind(board, thread),
        ...(event.forced ? countForcedMerge(board, thread) : []),
      ];
    case 'ChecksReported':
      return checksReported(board, event, at);
    case 'ChecksRerun':
      return changeForge(board, thread, (forge) => afterRerun(forge, event.rerun));
    case 'ChecksCompared': {
      const { base, excerpt } = event;
      const rows = changeForge(board, thread, (forge) => afterComparison(forge, base));
      const text = `on ${base.branch} at ${base.commit.slice(0, 12)}:\n${excerpt}`;
      return excerpt === '' ? rows : [...rows, noteIn(thread, { at, kind: 'base_checks', text })];
    }
    case 'BranchUpdated':
      return changeForge(board, thread, (forge) =>
        withHeadTime(forge, afterBranchUpdate(forge, event.commit), at),
      );
    case 'ReviewGiven':
      return [
        ...changeForge(board, thread, (forge) => afterReview(forge, event.verdict)),
        noteIn(thread, { at, kind: 'review', text: event.text }),
      ];
    case 'ReviewDismissed':
      return changeForge(board, thread, (forge) => afterDismissal(forge, event.account));
    case 'PullRequestClosed': {
      const open = board.threads.get(thread);
      return open ? closeThread(board, afterClosing(open)) : [];
    }
    case 'PullRequestOpened': {
      const pr = { ...event.pr, state: 'open' } as const;
      const opened = (forge: ThreadOnForge) => ({ ...forge, pr, headAt: at.at });
      const rows = changeForge(board, thread, opened);
      return [...rows, ...recordPullRequest(board, thread, event.pr.number)];
    }
    case 'ForgeWritten':
      return changeForge(board, thread, (forge) => ({
        ...forge,
        written: { ...forge.written, ...event.written },
      }));
    case 'MergeRequested':
      return changeForge(board, thread, (forge) => afterMergeRequest(forge, event.by));
    case 'MergeConflicted':
      return [
        ...changeForge(board, thread, afterConflict),
        noteIn(thread, { at, kind: 'conflict', text: `it ${conflictIn(event.files)}` }),
      ];
  }
}

function checksReported(
  board: Board,
  { thread, checks, excerpt, flaked = [] }: Extract<ForgeEvent, { type: 'ChecksReported' }>,
  at: Recorded,
): readonly Row[] {
  const rows = [
    ...changeForge(board, thread, (forge) => afterChecks(forge, checks)),
    ...rememberFlaky(board, thread, flaked),
  ];
  const isTold = checks.is === 'red' && excerpt !== '';
  return isTold ? [...rows, noteIn(thread, { at, kind: 'checks', text: excerpt })] : rows;
}

/** The other open pull requests of the project start from an older base now. */
function othersAreBehind(board: Board, id: ThreadId): readonly Row[] {
  const project = board.projects.get(board.threads.get(id)?.project ?? '');
  if (!project || !forgeOf(board, project)) return [];
  return [...board.threads.values()]
    .filter((other) => other.id !== id && other.project === project.name)
    .filter(({ forge }) => forge.pr?.state === 'open')
    .flatMap((other) => changeForge(board, other.id, (forge) => ({ ...forge, isBehind: true })));
}

/** The number of the pull request leads to the thread as well as that of its issue does. */
function recordPullRequest(board: Board, id: ThreadId, number: number): readonly Row[] {
  const thread = board.threads.get(id);
  const repo = thread && board.projects.get(thread.project)?.settings.repo;
  const isIssue = thread?.forge.issue?.number === number && !thread.forge.issue.isElsewhere;
  if (!thread || !repo || isIssue) return [];
  const key = issueKey(repo, number);
  const { seen } = board.issues.get(key) ?? { seen: NOTHING_READ };
  const { issue } = thread.forge;
  const home = issue?.repo !== undefined && { home: { repo: issue.repo, number: issue.number } };
  return putIssue(board, { key, project: thread.project, thread: id, seen, ...home });
}

/** Records the branch, commit and pull request that a run made, or its verdict on them. */
export function recordResult(board: Board, run: Run, result: Result, at: Recorded): readonly Row[] {
  const rows = changeForge(board, run.thread, (forge) =>
    withHeadTime(forge, afterWork(forge, result, reviewerOf(board, run)), at),
  );
  if (!result.verdict) return rows;
  const text = result.details ?? result.summary;
  return [...rows, noteIn(run.thread, { at, kind: 'review', text })];
}

/** Notes when the head of a pull request on a forge moved. */
function withHeadTime(
  before: ThreadOnForge,
  after: ThreadOnForge,
  { at }: Recorded,
): ThreadOnForge {
  const isMoved = before.headAt !== undefined && after.head !== before.head;
  return isMoved ? { ...after, headAt: at } : after;
}

function changeForge(
  board: Board,
  id: ThreadId,
  change: (forge: ThreadOnForge) => ThreadOnForge,
): readonly Row[] {
  const before = board.threads.get(id)?.forge;
  if (!before) return [];
  const forge = change(before);
  return forge === before ? [] : changeThread(board, id, { forge });
}

/** The count is stored from the first forced merge on. */
function countForcedMerge(board: Board, id: ThreadId): readonly Row[] {
  const project = board.threads.get(id)?.project;
  if (project === undefined) return [];
  const tally = board.tallies.get(project) ?? NO_TALLY;
  const row: Tally = { ...tally, forcedMerges: (tally.forcedMerges ?? 0) + 1 };
  board.tallies.set(project, row);
  return [{ table: 'tally', key: project, row }];
}

/** Notes about a whole thread are stored with its first task, which has the same number. */
function noteIn(
  thread: ThreadId,
  { at, kind, text }: { at: Recorded; kind: Note['kind']; text: string },
): Row {
  const task = thread as number as TaskId;
  const row: Note = { seq: at.seq, thread, task, run: null, by: at.actor, at: at.at, kind, text };
  return { table: 'note', key: at.seq, row };
}
