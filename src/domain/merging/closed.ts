import type { Board } from '../board.ts';
import { type Decision, decide, refuseWith } from '../decision.ts';
import { nameOf, type ThreadId } from '../ids.ts';
import { operatorCommand } from '../operator-command.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import { refuse } from '../refusal.ts';
import { knownPullRequest, type Thread } from '../thread.ts';

/** A person closes a pull request without merging it. Open work in its thread has to end first. */
export function closePullRequest(board: Board, id: ThreadId): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) => {
    const [first] = thread.tasks;
    if (first === undefined) return decide(id, [{ type: 'PullRequestClosed', thread: id }]);
    const busy = `${nameOf('task', first)} is open in ${nameOf('thread', id)}; cancel it first with: ${operatorCommand('task cancel', nameOf('task', first))}`;
    return refuseWith(refuse('thread_busy', busy));
  });
}

/** The result is not wanted. The thread has ended, and threads that depend on it keep waiting. */
export function afterClosing(thread: Thread): Thread {
  const { forge } = thread;
  const known = knownPullRequest(forge.pr);
  const pr = known && { ...known, state: 'closed' as const };
  return { ...thread, forge: { ...forge, pr }, state: 'ended' };
}
