import type { Board } from '../board.ts';
import { isWaitingForBase } from '../checking/compare-with-base.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import { postingIn } from '../pull-request-follow-up.ts';
import type { ThreadOnForge } from '../thread.ts';

/** The host found a conflict with the base. */
export function reportConflict(
  board: Board,
  { thread: id, commit, files }: { thread: ThreadId; commit: string; files: readonly string[] },
  now: Now,
): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) => {
    const events: HallEvent[] = [{ type: 'MergeConflicted', thread: id, commit, files }];
    if (thread.forge.head !== commit) return decide(id, []);
    // Whoever has work here reads about it; the next try to merge finds it again.
    if (thread.tasks.length > 0) return decide(id, thread.forge.isBehind ? events : []);
    // An agent can go on here: it takes in the green base by hand.
    if (isWaitingForBase(thread)) {
      events.push({ type: 'ThreadChanged', thread: id, change: { handedOver: null } });
    }
    const post = postingIn(board, thread, { ...now, seq: board.seq + events.length + 1 });
    return decide(id, [...events, post('rebase', `It ${conflictIn(files)}.`)]);
  });
}

export function conflictIn(files: readonly string[]): string {
  return `conflicts with its base in ${files.join(', ')}`;
}

/** The approval no longer covers what will be merged. */
export function afterConflict(forge: ThreadOnForge): ThreadOnForge {
  const { isBehind: _, ...rest } = forge;
  return { ...rest, verdict: null };
}
