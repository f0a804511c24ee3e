import type { Board } from './board.ts';
import { isBaseUnknown, isWaitingForBase } from './checking/compare-with-base.ts';
import { isRerunDue } from './checking/flaky-checks.ts';
import { checksAreDue } from './checking/status.ts';
import { isBeingWritten } from './checking/update-branch.ts';
import { isFollowed } from './forge/connected-forges.ts';
import type { ThreadId } from './ids.ts';
import { readyToMerge } from './merging/policy.ts';
import { isLocal, type Project } from './project.ts';
import type { Thread } from './thread.ts';

/** Something the hall must do outside the board for a pull request. */
export interface PullRequestAction {
  /**
   * `check-base` checks the commit that the branch starts from, `update` moves the branch onto a newer
   * commit of its base once that is green, `rerun` starts flaky checks once more,
   * `rebase` takes in what was merged into the base meanwhile.
   */
  readonly kind: 'check' | 'check-base' | 'rerun' | 'update' | 'rebase' | 'merge';
  readonly thread: Thread;
  readonly project: Project;
  /** The commit the action is for; it is obsolete once the head has moved on. */
  readonly commit: string;
  readonly branch: string;
}

/** The next action for a thread, derived from the board alone: there is nothing to remember. */
export function nextPullRequestAction(board: Board, id: ThreadId): PullRequestAction | undefined {
  const thread = board.threads.get(id);
  const project = thread && board.projects.get(thread.project);
  if (!thread || !project || !isFollowed(board, project)) return undefined;
  const { pr, head: commit, branch } = thread.forge;
  if (pr?.state !== 'open' || commit === null || branch === null) return undefined;
  const action = { thread, project, commit, branch };
  if (checksAreDue(thread.forge, project.settings)) {
    const isOurs = isLocal(project) && !isLeftAlone(thread);
    return isOurs ? { kind: 'check', ...action } : undefined;
  }
  if (readyToMerge(thread, project.settings)) return { kind: 'merge', ...action };
  if (isRerunDue(board, thread) && !isLeftAlone(thread)) return { kind: 'rerun', ...action };
  const isFree = !isBeingWritten(board, thread) && !isLeftAlone(thread);
  if (thread.forge.isBehind && isFree) return { kind: 'rebase', ...action };
  const kind = nextBaseAction(thread, project);
  return kind && { kind, ...action };
}

/** After the merge, so that no merge waits for a comparison that would not change it. */
function nextBaseAction(thread: Thread, project: Project): 'check-base' | 'update' | undefined {
  if (isLocal(project) && project.settings.checks.length === 0) return undefined;
  if (isWaitingForBase(thread)) return 'update';
  return isBaseUnknown(thread.forge) && !isLeftAlone(thread) ? 'check-base' : undefined;
}

/** A person has the thread and did not request a merge. Do not retry failed checks forever. */
function isLeftAlone({ handedOver, forge }: Thread): boolean {
  return handedOver !== null && forge.mergeRequestedBy === null;
}

export function pendingPullRequestActions(board: Board): readonly PullRequestAction[] {
  return [...board.threads.values()].flatMap(({ id, forge }) =>
    forge.pr === null ? [] : (nextPullRequestAction(board, id) ?? []),
  );
}
