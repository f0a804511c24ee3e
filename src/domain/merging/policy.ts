import type { Board } from '../board.ts';
import { checksAreDue, checksAreRed, isUnchecked } from '../checking/status.ts';
import { isFollowed } from '../forge/connected-forges.ts';
import { nameOf } from '../ids.ts';
import { operatorCommand } from '../operator-command.ts';
import { allowedIn } from '../pool.ts';
import { isLocal, type Project, type ProjectSettings } from '../project.ts';
import { areReviewRoundsUsedUp } from '../retry-limits.ts';
import { standingObjections, verdictOnHead } from '../review-verdict.ts';
import { defaultType } from '../skill.ts';
import type { Thread, ThreadOnForge, Verdict } from '../thread.ts';

/** What keeps an open pull request from being merged, in the order of the checks below. */
type Hold = 'work' | 'checks' | 'handed_over' | 'no_checks' | 'person' | 'approval';

/** Whether the hall may merge now: the checks are green and the project's policy is satisfied. */
export function readyToMerge(thread: Thread, settings: ProjectSettings): boolean {
  const { pr, head } = thread.forge;
  return pr?.state === 'open' && head !== null && holdOf(thread, settings) === null;
}

function holdOf({ tasks, handedOver, forge }: Thread, settings: ProjectSettings): Hold | null {
  const { mergeRequestedBy } = forge;
  if (tasks.length > 0) return 'work';
  if (checksAreDue(forge, settings) || checksAreRed(forge)) return 'checks';
  if (mergeRequestedBy !== null) return null;
  if (handedOver !== null) return 'handed_over';
  if (isUnchecked(forge, settings) && settings.ci !== 'none') return 'no_checks';
  if (settings.mergePolicy === 'human') return 'person';
  return isApproved(forge, settings) || mayForce(forge, settings) ? null : 'approval';
}

/** Whether a merge now would be one that only `force-at-max-rounds` allows. */
export function isForcedMerge({ forge }: Thread, settings: ProjectSettings): boolean {
  const isWanted = forge.mergeRequestedBy !== null || isApproved(forge, settings);
  return !isWanted && mayForce(forge, settings);
}

function mayForce(forge: ThreadOnForge, settings: ProjectSettings): boolean {
  return settings.mergePolicy === 'force-at-max-rounds' && areReviewRoundsUsedUp(forge, settings);
}

function isApproved(forge: ThreadOnForge, settings: ProjectSettings): boolean {
  const verdict = verdictOnHead(forge);
  const isAgainst = standingObjections(forge).length > 0;
  return verdict?.is === 'approved' && counts(verdict, settings) && !isAgainst;
}

/** A person's approval always counts; an agent's only where the project lists its type. */
function counts({ type }: Verdict, { approvers }: ProjectSettings): boolean {
  return type === null || approvers.includes(type);
}

/** For people: what an idle, open pull request waits for; null when it waits for nothing. */
export function mergeWait(board: Board, thread: Thread): string | null {
  const { pr, head, checks } = thread.forge;
  const project = board.projects.get(thread.project);
  if (pr?.state !== 'open' || head === null || !project) return null;
  if (!isFollowed(board, project)) return null;
  if (thread.handedOver !== null && thread.forge.mergeRequestedBy === null) return null;
  switch (holdOf(thread, project.settings)) {
    case null:
    case 'work':
    case 'handed_over':
      return null;
    case 'checks':
      return checks?.commit === head
        ? `waits for green checks: ${checks.failing.join(', ')} failed`
        : 'waits for its checks';
    case 'no_checks':
      return `waits for a person to merge it: ${project.name} has no checks, and unchecked work is merged automatically only if ci: none is set`;
    case 'person':
      return 'waits for a person to merge it: merge_policy is human';
    case 'approval':
      return `${approvalWait(board, project, thread.forge)}${operatorCommand('thread review', nameOf('thread', thread.id), '--approve')}`;
  }
}

/** Whether only a person can bring an idle, open pull request any further. */
export function mergeNeedsPerson(board: Board, thread: Thread): boolean {
  const { pr, head } = thread.forge;
  const project = board.projects.get(thread.project);
  if (pr?.state !== 'open' || head === null || !project) return false;
  if (!isFollowed(board, project)) return false;
  const hold = holdOf(thread, project.settings);
  if (hold !== 'approval') return hold === 'person' || hold === 'no_checks';
  return lacksApprovers(project.settings, isReviewed(board, project)) !== null;
}

function approvalWait(board: Board, project: Project, forge: ThreadOnForge): string {
  const verdict = verdictOnHead(forge);
  const [against] = standingObjections(forge);
  if (against)
    return `waits for another review by ${against.by}, who requested changes; or merge it with: `;
  const lack = lacksApprovers(project.settings, isReviewed(board, project));
  if (verdict?.is === 'approved') {
    return `waits for an approval that counts; one by agent type ${verdict.type} does not: add that type to approvers, or approve the pull request with: `;
  }
  return lack === null
    ? 'waits for a review; approve it with: '
    : `waits for a review, but ${lack}, or approve it with: `;
}

/** Does any agent review work in this project? */
export function isReviewed(board: Board, { name }: Pick<Project, 'name'>): boolean {
  return [...board.instances.values()].some(
    (instance) =>
      instance.type === REVIEWER && instance.settings.enabled && allowedIn(instance, name),
  );
}

/**
 * Why a project that merges approved work must wait for a person, and how to change that; null
 * where an agent can approve, or the policy waits for a person anyway.
 */
export function lacksApprovers(
  { mergePolicy, approvers, repo }: ProjectSettings,
  hasReviewer: boolean,
): string | null {
  if (mergePolicy === 'human' || !isLocal({ settings: { repo } })) return null;
  if (!hasReviewer) {
    return `no agent can approve: declare a type ${REVIEWER} and list it in approvers`;
  }
  if (approvers.includes(REVIEWER)) return null;
  return `no agent's approval counts: list ${REVIEWER} in approvers`;
}

const REVIEWER = defaultType('review');
