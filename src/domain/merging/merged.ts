import type { Board } from '../board.ts';
import { type Decision, decide, type Now, refuseWith } from '../decision.ts';
import { completionEvents } from '../dependencies/unblock.ts';
import { nameOf, type ThreadId } from '../ids.ts';
import { operatorCommand } from '../operator-command.ts';
import { refuse } from '../refusal.ts';
import { knownPullRequest, type Thread, type ThreadOnForge } from '../thread.ts';

/** A person says that it was merged. */
export function markMerged(board: Board, id: ThreadId, now: Now): Decision<ThreadId> {
  return recordMerge(board, { thread: id, isForced: false }, now);
}

export function recordMerge(
  board: Board,
  { thread: id, isForced }: { readonly thread: ThreadId; readonly isForced: boolean },
  now: Now,
): Decision<ThreadId> {
  const thread = board.threads.get(id);
  if (!thread || knownPullRequest(thread.forge.pr) === null)
    return refuseWith(refuse('no_open_pull_request', noPullRequest(id, thread)));
  const done = thread.tasks.length === 0 && thread.childrenDone >= thread.children;
  return decide(id, [
    { type: 'PullRequestMerged', thread: id, ...(isForced && { forced: true }) },
    ...(done ? completionEvents(board, id, now.at) : []),
  ]);
}

function noPullRequest(id: ThreadId, thread: Thread | undefined): string {
  const name = nameOf('thread', id);
  if (!thread)
    return `${name} is closed; see how it ended with: ${operatorCommand('thread show', name)}`;
  return `${name} has no pull request; a run that opens one must report the outcome pr_created with pr and branch`;
}

export function afterMerge(forge: ThreadOnForge, isForced: boolean): ThreadOnForge {
  const known = knownPullRequest(forge.pr);
  if (known === null) return forge;
  const pr = { ...known, state: 'merged' } as const;
  return { ...forge, pr: isForced ? { ...pr, forced: true } : pr };
}
