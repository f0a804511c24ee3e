import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import type { HallEvent } from './event.ts';
import { isFollowed } from './forge/connected-forges.ts';
import { nameOf, type ThreadId } from './ids.ts';
import { onOpenPullRequest } from './pull-request.ts';
import { followUp, type Moment, postingIn } from './pull-request-follow-up.ts';
import { refuse } from './refusal.ts';
import { areReviewRoundsUsedUp } from './retry-limits.ts';
import { findingsIn, repeatedFindings } from './review-findings.ts';
import { afterPersonsReview, verdictOnHead } from './review-verdict.ts';
import type { Result, Run } from './run.ts';
import { writes } from './skill.ts';
import { isAvailable } from './task.ts';
import type { PersonsVerdict, Thread, ThreadOnForge, Verdict } from './thread.ts';

/** The pull request after a completed run. */
export function afterWork(
  forge: ThreadOnForge,
  result: Result,
  reviewer: Pick<Verdict, 'by' | 'type'>,
): ThreadOnForge {
  const { branch, commit, pr, verdict } = result;
  if (verdict) {
    if (commit === null) return forge;
    const found = foundIn(result, forge);
    return afterReview(forge, { ...reviewer, commit, is: verdict, ...found });
  }
  if (branch === null && pr === null) return forge;
  return {
    ...forge,
    branch: branch ?? forge.branch,
    head: commit ?? forge.head,
    pr: pr ? { ...pr, state: 'open' } : opening(forge, result),
  };
}

/** What the review found, and which of it the last review of an agent had found already. */
function foundIn(
  { details, summary }: Result,
  { verdict: before }: ThreadOnForge,
): Pick<Verdict, 'findings' | 'repeated'> {
  const findings = findingsIn(details ?? summary);
  const repeated = repeatedFindings(findings, before?.findings ?? []);
  return {
    ...(findings.length > 0 && { findings }),
    ...(repeated.length > 0 && { repeated }),
  };
}

function opening({ pr }: ThreadOnForge, { opensPullRequest }: Result): ThreadOnForge['pr'] {
  return pr === null && opensPullRequest ? { state: 'opening' } : pr;
}

export function afterReview(
  forge: ThreadOnForge,
  verdict: Verdict | PersonsVerdict,
): ThreadOnForge {
  if ('account' in verdict) return afterPersonsReview(forge, verdict);
  if (verdict.type !== null && isJudgedByPerson(forge)) return forge;
  const rounds = forge.rounds + (verdict.is === 'changes_requested' ? 1 : 0);
  return { ...forge, verdict, rounds };
}

/** A review from a run never counts as a person's, even if its instance has been removed by then. */
export function reviewerOf(
  { instances }: Pick<Board, 'instances'>,
  { instance, agent }: Pick<Run, 'instance' | 'agent'>,
): Pick<Verdict, 'by' | 'type'> {
  return { by: agent, type: instances.get(instance)?.type ?? instance };
}

/** A person's verdict on the current head stands, whatever an agent says about it later. */
function isJudgedByPerson({ verdict, head }: ThreadOnForge): boolean {
  return verdict?.type === null && verdict.commit === head;
}

/** A person reviews the current head of the pull request. */
export function review(
  board: Board,
  { thread: id, is, text }: { thread: ThreadId; is: Verdict['is']; text: string },
  now: Now,
): Decision<ThreadId> {
  return onOpenPullRequest(board, id, ({ thread }) => {
    const { forge } = thread;
    if (forge.head === null) {
      return refuseWith(
        refuse('no_open_pull_request', `${nameOf('thread', id)} has no commit yet`),
      );
    }
    const verdict: Verdict = { commit: forge.head, is, by: now.actor, type: null };
    const after = { ...thread, forge: afterReview(forge, verdict) };
    const when = { ...now, seq: board.seq + 2 };
    return decide(id, [
      { type: 'ReviewGiven', thread: id, verdict, text },
      ...followUp(board, after, when),
      ...queuedForReview(board, after, when),
    ]);
  });
}

/**
 * When a person requests changes while agents are busy in the thread, this posts a task for them.
 * Otherwise a new commit could hide the request, or an agent's approval could override it. A
 * writing task that has not started yet will read the review, so no task is needed then.
 */
export function queuedForReview(board: Board, thread: Thread, when: Moment): readonly HallEvent[] {
  const { tasks, forge } = thread;
  const project = board.projects.get(thread.project);
  if (!project || !isFollowed(board, project)) return [];
  if (verdictOnHead(forge)?.is !== 'changes_requested') return [];
  const open = tasks.flatMap((id) => board.tasks.get(id) ?? []);
  const willRead = open.some(({ state, skill }) => isAvailable(state) && writes(skill));
  if (open.length === 0 || willRead) return [];
  return areReviewRoundsUsedUp(forge, project.settings)
    ? []
    : [postingIn(board, thread, when)('address-review', '')];
}
