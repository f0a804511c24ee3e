import type { Board } from './board.ts';
import type { HallEvent, Recorded } from './event.ts';
import { changeThread, closeThread } from './evolve-thread.ts';
import type { TaskId, ThreadId } from './ids.ts';
import { afterChecks, afterReview, afterWork, reviewerOf } from './reviewing.ts';
import type { Note, Row } from './row.ts';
import type { Result, Run } from './run.ts';
import type { ThreadOnForge } from './thread.ts';

type ForgeEvent = Extract<
  HallEvent,
  {
    type:
      | 'PullRequestMerged'
      | 'PullRequestClosed'
      | 'ChecksReported'
      | 'ReviewGiven'
      | 'MergeRequested'
      | 'MergeConflicted';
  }
>;

/** What becomes of a thread's pull request. What follows from it is decided with the event. */
export function evolveForge(board: Board, event: ForgeEvent, at: Recorded): readonly Row[] {
  const { thread } = event;
  switch (event.type) {
    case 'PullRequestMerged':
      return changeForge(board, thread, (forge) => ({
        ...forge,
        pr: forge.pr && { ...forge.pr, state: 'merged' },
      }));
    case 'ChecksReported': {
      const rows = changeForge(board, thread, (forge) => afterChecks(forge, event.checks));
      const said = event.checks.is === 'red' ? event.excerpt : '';
      return said === '' ? rows : [...rows, noteIn(thread, { at, kind: 'checks', text: said })];
    }
    case 'ReviewGiven':
      return [
        ...changeForge(board, thread, (forge) => afterReview(forge, event.verdict)),
        noteIn(thread, { at, kind: 'review', text: event.text }),
      ];
    case 'PullRequestClosed':
      return abandon(board, thread);
    case 'MergeRequested':
      return changeForge(board, thread, (forge) => ({ ...forge, mergeRequestedBy: event.by }));
    case 'MergeConflicted': {
      const text = `it conflicts with its base in ${event.files.join(', ')}`;
      return [
        ...changeForge(board, thread, (forge) => ({ ...forge, verdict: null })),
        noteIn(thread, { at, kind: 'conflict', text }),
      ];
    }
  }
}

/** What was made is not wanted. The thread has ended, and whatever waits for it waits on. */
function abandon(board: Board, id: ThreadId): readonly Row[] {
  const thread = board.threads.get(id);
  if (!thread) return [];
  const { forge } = thread;
  const pr = forge.pr && { ...forge.pr, state: 'closed' as const };
  return closeThread(board, { ...thread, forge: { ...forge, pr }, state: 'ended' });
}

/** A run says which branch, commit and pull request hold what it made, or what it thinks of them. */
export function showWork(board: Board, run: Run, result: Result, at: Recorded): readonly Row[] {
  const rows = changeForge(board, run.thread, (forge) =>
    afterWork(forge, result, reviewerOf(board, run)),
  );
  if (!result.verdict) return rows;
  const text = result.details ?? result.summary;
  return [...rows, noteIn(run.thread, { at, kind: 'review', text })];
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

/** What is said of the thread as a whole is kept with its first task, whose number it shares. */
function noteIn(
  thread: ThreadId,
  { at, kind, text }: { at: Recorded; kind: Note['kind']; text: string },
): Row {
  const task = thread as number as TaskId;
  const row: Note = { seq: at.seq, thread, task, run: null, by: at.actor, at: at.at, kind, text };
  return { table: 'note', key: at.seq, row };
}
