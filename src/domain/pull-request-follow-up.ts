import { type Assignee, anyOfType, typeBoundTo } from './agent-name.ts';
import type { Board } from './board.ts';
import { isRerunDue } from './checking/flaky-checks.ts';
import { afterRedChecks } from './checking/red-checks.ts';
import { checksAreDue, checksAreRed } from './checking/status.ts';
import type { Now } from './decision.ts';
import type { HallEvent, PostedTask } from './event.ts';
import { isFollowed } from './forge/connected-forges.ts';
import { nameOf, type TaskId } from './ids.ts';
import { isReviewed } from './merging/policy.ts';
import { handOverToPerson } from './pull-request.ts';
import { areReviewRoundsUsedUp, maxRetriesIn } from './retry-limits.ts';
import type { Finding } from './review-findings.ts';
import { verdictOnHead } from './review-verdict.ts';
import { defaultType, fixesOwnWork } from './skill.ts';
import type { Thread, ThreadOnForge, Verdict } from './thread.ts';

export interface Moment extends Now {
  /** The number of the first event that follows. */
  readonly seq: number;
}

/**
 * The next step for a pull request after a change: fix the checks, review, address the review, or
 * only wait for a merge. Expects the thread as it is after the change.
 */
export function followUp(board: Board, thread: Thread, when: Moment): readonly HallEvent[] {
  const { forge, tasks } = thread;
  const project = board.projects.get(thread.project);
  if (!project || forge.pr?.state !== 'open' || tasks.length > 0) return [];
  if (!isFollowed(board, project)) return [];
  const post = postingIn(board, thread, when);
  const { settings } = project;
  if (checksAreRed(forge)) {
    const maxRetries = maxRetriesIn(board, thread, settings);
    const rerun = isRerunDue(board, thread);
    return afterRedChecks(thread, { maxRetries }, { isRerunDue: rerun, at: when.at, post });
  }
  const verdict = verdictOnHead(forge);
  if (checksAreDue(forge, settings) && !isForgePersonAgainst(forge, verdict)) return [];
  if (verdict === null)
    return isReviewed(board, project) ? [post('review', reviewBody(forge))] : [];
  if (verdict.is !== 'changes_requested') return [];
  if (!areReviewRoundsUsedUp(forge, settings))
    return [post('address-review', addressBody(verdict))];
  if (settings.mergePolicy === 'force-at-max-rounds') return [];
  const rounds = forge.rounds === 1 ? '1 round' : `${forge.rounds} rounds`;
  return [handOverToPerson(thread, `${rounds} of review did not end in an approval`, when.at)];
}

/** From the second round on, what changed since the last verdict and whether that settles it. */
function reviewBody({ verdict }: ThreadOnForge): string {
  if (verdict?.type == null || verdict.is !== 'changes_requested') return '';
  const { commit, findings = [] } = verdict;
  return [
    `You requested changes on ${commit}. \`git diff ${commit} HEAD\` shows what changed since.`,
    'Say of each finding of that review whether it is settled. Raise something new only in what changed since, or if it must block the merge.',
    ...(findings.length === 0 ? [] : ['Open findings:', ...findings.map(findingLine)]),
  ].join('\n');
}

/** An agent that hears the same again has to do something else about it. */
function addressBody({ repeated = [] }: Verdict): string {
  if (repeated.length === 0) return '';
  return [
    'The reviewer raised these before, and they are still open:',
    ...repeated.map(findingLine),
  ].join('\n');
}

function findingLine({ path, line, text }: Finding): string {
  return `- ${path}${line === null ? '' : `:${line}`}: ${text}`;
}

/** Whoever reads a pull request on a forge does not wait for its CI to say what has to change. */
function isForgePersonAgainst({ verdicts = [] }: ThreadOnForge, verdict: Verdict | null): boolean {
  return verdict?.is === 'changes_requested' && verdicts.some((each) => each === verdict);
}

/** Posts follow-up tasks in a thread, at its place in the queue and under its agent's name. */
export function postingIn(board: Board, thread: Thread, { at, seq }: Moment) {
  return (skill: string, body: string): HallEvent => {
    const task: PostedTask = {
      id: seq as TaskId,
      thread: thread.id,
      project: thread.project,
      skill,
      ...nextTaker(board, thread, skill),
      actor: 'hall',
      reopens: null,
      state: { is: 'available', since: at },
      title: `${skill} ${nameOf('thread', thread.id)}`,
      body,
    };
    return { type: 'TaskPosted', task, opens: null };
  };
}

/** Whoever goes on with the work of a thread runs under the slug it is bound to, whichever instance takes the task. */
export function nextTaker(board: Board, { agent }: Thread, skill: string): Assignee {
  const usual = anyOfType(board, defaultType(skill));
  if (agent === null || !(skill === 'implement' || fixesOwnWork(skill))) return usual;
  return { type: typeBoundTo(board, agent) ?? usual.type, instance: null, agent };
}
