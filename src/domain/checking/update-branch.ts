import type { Board } from '../board.ts';
import { type Decision, decide } from '../decision.ts';
import type { ThreadId } from '../ids.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import type { ThreadOnForge } from '../thread.ts';
import { isWaitingForBase } from './compare-with-base.ts';
import { afterRecheck } from './recheck.ts';

/** The branch is on a base whose checks are green, so the agents get the thread back. */
export function reportBranchUpdated(
  board: Board,
  { thread: id, from, commit }: { thread: ThreadId; from: string; commit: string },
): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) => {
    if (thread.forge.head !== from || !isWaitingForBase(thread)) return decide(id, []);
    return decide(id, [
      { type: 'BranchUpdated', thread: id, commit },
      { type: 'ThreadChanged', thread: id, change: { handedOver: null } },
    ]);
  });
}

export function afterBranchUpdate(forge: ThreadOnForge, commit: string): ThreadOnForge {
  return { ...afterRecheck(forge), head: commit };
}
