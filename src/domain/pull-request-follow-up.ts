import type { Board } from './board.ts';
import { afterRedChecks } from './checking/red-checks.ts';
import { checksAreDue, checksAreRed } from './checking/status.ts';
import type { Now } from './decision.ts';
import type { HallEvent, PostedTask } from './event.ts';
import { nameOf, type TaskId } from './ids.ts';
import { isReviewed } from './merging/policy.ts';
import { slugOf } from './posting.ts';
import { isLocal } from './project.ts';
import { handOverToPerson } from './pull-request.ts';
import { areReviewRoundsUsedUp } from './retry-limits.ts';
import { defaultType } from './skill.ts';
import type { Thread } from './thread.ts';

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
  if (!project || forge.pr?.state !== 'open' || !isLocal(project) || tasks.length > 0) return [];
  const post = postingIn(board, thread, when);
  const { settings } = project;
  const { verdict, head } = forge;
  if (checksAreRed(forge)) return afterRedChecks(thread, settings, { at: when.at, post });
  if (checksAreDue(forge, settings)) return [];
  if (verdict?.commit !== head) return isReviewed(board, project) ? [post('review', '')] : [];
  if (verdict?.is !== 'changes_requested') return [];
  if (!areReviewRoundsUsedUp(forge, settings)) return [post('address-review', '')];
  if (settings.mergePolicy === 'force-at-max-rounds') return [];
  const rounds = forge.rounds === 1 ? '1 round' : `${forge.rounds} rounds`;
  return [handOverToPerson(thread, `${rounds} of review did not end in an approval`, when.at)];
}

/** Posts follow-up tasks in a thread, at its place in the queue and under its agent's name. */
export function postingIn(board: Board, thread: Thread, { at, seq }: Moment) {
  return (skill: string, body: string): HallEvent => {
    const type = defaultType(skill);
    const own = skill === 'review' ? null : thread.agent;
    const task: PostedTask = {
      id: seq as TaskId,
      thread: thread.id,
      project: thread.project,
      skill,
      type,
      instance: null,
      agent: slugOf(board, type, own),
      actor: 'hall',
      reopens: null,
      state: { is: 'available', since: at },
      title: `${skill} ${nameOf('thread', thread.id)}`,
      body,
    };
    return { type: 'TaskPosted', task, opens: null };
  };
}
