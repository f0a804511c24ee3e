import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import { nameOf, type TaskId, type ThreadId } from '../ids.ts';
import { approve, cancel, handBack, handOver, retry } from '../operator-actions.ts';
import { isRefusal } from '../refusal.ts';
import type { Thread } from '../thread.ts';
import { why } from '../why.ts';
import type { Workforce } from '../why-unclaimed.ts';
import type { LookResult } from './look-result.ts';
import type { Command } from './mention.ts';
import type { Comment } from './snapshot.ts';

interface Given {
  readonly result: LookResult;
  readonly comment: Comment;
  readonly command: Command;
  readonly thread: Thread | undefined;
  readonly seen: readonly HallEvent[];
}

/** Carries out a `/command` of a comment and answers it. A refusal is answered with its reason. */
export function runCommand(
  board: Board,
  closed: ClosedWork,
  { result, comment, command, thread, seen }: Given,
  by: Now,
): Decision<ThreadId | null> {
  const { workforce } = result;
  const { events, text } = thread
    ? outcomeOf(board, closed, { command, thread, workforce }, by)
    : { events: [], text: 'There is no open work of this hall here.' };
  const { repo, number } = result;
  const reply = { key: `comment-${comment.id}`, repo, number, text };
  return decide(thread?.id ?? null, [...events, { type: 'ReplyQueued', reply }, ...seen]);
}

interface Outcome {
  readonly events: readonly HallEvent[];
  readonly text: string;
}

interface OnThread {
  readonly command: Command;
  readonly thread: Thread;
  readonly workforce: Workforce;
}

function outcomeOf(
  board: Board,
  closed: ClosedWork,
  { command: { name, rest }, thread, workforce }: OnThread,
  by: Now,
): Outcome {
  const [task] = thread.tasks;
  switch (name) {
    case 'why':
      return { events: [], text: whyText(board, thread, workforce) };
    case 'handover':
      return told(
        handOver(board, { thread: thread.id, because: rest || null }, by),
        'Handed over: agents leave this alone until `/handback`.',
      );
    case 'handback':
      return told(handBack(board, thread.id, by), 'Handed back: agents may continue.');
    case 'cancel':
      return task === undefined
        ? NO_TASK
        : told(
            cancel(board, closed, { task, because: rest || `cancelled by ${by.actor}` }, by),
            `Cancelled ${nameOf('task', task)}.`,
          );
    case 'retry':
      return task === undefined
        ? NO_TASK
        : told(retry(board, closed, task, by), `${nameOf('task', task)} may start now.`);
    case 'approve':
      return told(
        approve(board, closed, { task: thread.id as number as TaskId, only: null }, by),
        'Approved.',
      );
  }
}

const NO_TASK: Outcome = { events: [], text: 'Nothing is waiting or running here.' };

function told(decision: Decision<unknown>, text: string): Outcome {
  const { events, answer } = decision;
  return isRefusal(answer)
    ? { events: [], text: `Not done: ${answer.because}.` }
    : { events, text };
}

function whyText(board: Board, thread: Thread, workforce: Workforce): string {
  const [first] = thread.tasks;
  const task = first === undefined ? undefined : board.tasks.get(first);
  if (!task) return 'Nothing is waiting or running here.';
  const { state, reasons } = why(board, task, thread, workforce);
  const lines = reasons.map(({ because, frees }) => `- ${because}${frees ? ` (${frees})` : ''}`);
  const head = `${nameOf('task', task.id)} is ${state}.`;
  return lines.length === 0 ? head : [head, '', ...lines].join('\n');
}
