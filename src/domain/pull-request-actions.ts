import type { Board } from './board.ts';
import { checksAreDue } from './checking/status.ts';
import type { ThreadId } from './ids.ts';
import { readyToMerge } from './merging/policy.ts';
import { isLocal, type Project } from './project.ts';
import type { Thread } from './thread.ts';

/** Something the hall itself has to do outside about a pull request. */
export interface PullRequestAction {
  readonly kind: 'check' | 'merge';
  readonly thread: Thread;
  readonly project: Project;
  /** The commit it is about: once that is not the head any more there is nothing left to do. */
  readonly commit: string;
  readonly branch: string;
}

/** What is to be done about a thread now. It follows from the board alone, so nothing has to be remembered. */
export function nextPullRequestAction(board: Board, id: ThreadId): PullRequestAction | undefined {
  const thread = board.threads.get(id);
  const project = thread && board.projects.get(thread.project);
  if (!thread || !project || !isLocal(project)) return undefined;
  const { pr, head: commit, branch } = thread.forge;
  if (pr?.state !== 'open' || commit === null || branch === null) return undefined;
  const action = { thread, project, commit, branch };
  if (checksAreDue(thread.forge, project.settings)) {
    return isLeftAlone(thread) ? undefined : { kind: 'check', ...action };
  }
  return readyToMerge(thread, project.settings) ? { kind: 'merge', ...action } : undefined;
}

/** A person has it, and did not ask for it to go on: what could not be checked is not tried for ever. */
function isLeftAlone({ handedOver, forge }: Thread): boolean {
  return handedOver !== null && forge.mergeRequestedBy === null;
}

export function pendingPullRequestActions(board: Board): readonly PullRequestAction[] {
  return [...board.threads.values()].flatMap(({ id, forge }) =>
    forge.pr === null ? [] : (nextPullRequestAction(board, id) ?? []),
  );
}
