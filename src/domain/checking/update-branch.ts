import type { Board } from '../board.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import { followUp } from '../pull-request-follow-up.ts';
import { writes } from '../skill.ts';
import { isHeld } from '../task.ts';
import type { Thread, ThreadOnForge } from '../thread.ts';
import { isWaitingForBase } from './compare-with-base.ts';

/**
 * The branch has another head than the board knows: the host moved it onto a green base, which gives
 * the thread back to the agents, or a person pushed to it.
 */
export function reportBranchUpdated(
  board: Board,
  { thread: id, from, commit }: { thread: ThreadId; from: string; commit: string },
  now: Now,
): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) => {
    if (thread.forge.head !== from || isBeingWritten(board, thread)) return decide(id, []);
    const events: HallEvent[] = [{ type: 'BranchUpdated', thread: id, commit }];
    if (commit === from) return decide(id, thread.forge.isBehind ? events : []);
    if (isWaitingForBase(thread)) {
      events.push({ type: 'ThreadChanged', thread: id, change: { handedOver: null } });
    }
    const after = { ...thread, forge: afterBranchUpdate(thread.forge, commit) };
    const when = { ...now, seq: board.seq + events.length + 1 };
    return decide(id, [...events, ...followUp(board, after, when)]);
  });
}

/** A run that has pushed reports its commit itself. */
export function isBeingWritten(board: Board, { tasks }: Thread): boolean {
  return tasks.some((id) => {
    const task = board.tasks.get(id);
    return task !== undefined && writes(task.skill) && isHeld(task.state);
  });
}

export function afterBranchUpdate(forge: ThreadOnForge, commit: string): ThreadOnForge {
  const { isBehind: _, ...upToDate } = forge;
  if (forge.head === commit) return upToDate;
  const { failures: __, ...rest } = upToDate;
  return { ...rest, head: commit, checks: null, ciRetries: 0 };
}
