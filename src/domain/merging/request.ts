import type { Board } from '../board.ts';
import { type Decision, decide, type Now, refuseWith } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import { isFollowed } from '../forge/connected-forges.ts';
import type { ThreadId } from '../ids.ts';
import { onOpenPullRequest } from '../pull-request.ts';
import { refuse } from '../refusal.ts';
import { type Thread, type ThreadOnForge, urlOf } from '../thread.ts';

/** A person asks for a merge as soon as possible, without waiting for an approval. */
export function requestMerge(board: Board, id: ThreadId, now: Now): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ project, thread }) => {
    if (!isFollowed(board, project)) {
      const url = urlOf(thread.forge.pr);
      const because = `${url} is on a forge that this hall is not connected to; merge it there`;
      return refuseWith(refuse('not_on_this_forge', because));
    }
    if (thread.forge.mergeRequestedBy !== null) return decide(id, []);
    return decide(id, [{ type: 'MergeRequested', thread: id, by: now.actor }]);
  });
}

/** Drops the merge request; the person asks again once the obstacle is fixed. */
export function withdrawMergeRequest({ id, forge }: Thread): readonly HallEvent[] {
  return forge.mergeRequestedBy === null ? [] : [{ type: 'MergeRequested', thread: id, by: null }];
}

export function afterMergeRequest(forge: ThreadOnForge, by: string | null): ThreadOnForge {
  return { ...forge, mergeRequestedBy: by };
}
