import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { followUp } from '../pull-request-follow-up.ts';
import { afterReview, queuedForReview } from '../reviewing.ts';
import type { PersonsVerdict, Thread } from '../thread.ts';
import { type LookResult, openThreadOf, recordOf, seenEvents } from './look-result.ts';
import { mentionIn } from './mention.ts';
import { postFromForge } from './post-from-forge.ts';
import { actorOf, mayTrigger, teamsFor } from './rights.ts';
import type { ForgeReview, ReviewComment } from './snapshot.ts';

/** The reviews to read, oldest first. */
export function newReviews(board: Board, result: LookResult): readonly ForgeReview[] {
  const { review: last } = recordOf(board, result).seen;
  const reviews = result.snapshot.pull?.reviews ?? [];
  return reviews.filter(({ id }) => id > last).toSorted((a, b) => a.id - b.id);
}

/** A person's verdict is a fact of the thread; a comment that mentions the hall is feedback. */
export function takeReview(
  board: Board,
  closed: ClosedWork,
  { result, review }: { readonly result: LookResult; readonly review: ForgeReview },
  now: Now,
): Decision<ThreadId | null> {
  const only = seenEvents(recordOf(board, result), { review: review.id });
  const thread = openThreadOf(board, result);
  if (!thread || !mayTrigger(result.rights, review.author, teamsFor(board, thread.agent))) {
    return decide(null, only);
  }
  const by = { ...now, actor: actorOf(result.repo, review.author) };
  if (review.is === 'approved' || review.is === 'changes_requested') {
    return judged(board, { thread, review, is: review.is, only }, by);
  }
  if (review.is === 'dismissed') {
    const { id: account } = review.author;
    return decide(thread.id, [{ type: 'ReviewDismissed', thread: thread.id, account }, ...only]);
  }
  const text = textOf(review);
  if (!mentionIn(text, result.rights.own.login, () => false)) return decide(thread.id, only);
  const seen = { review: review.id };
  const task = { skill: 'address-review', agent: null, body: text, by: review.author, seen };
  return postFromForge(board, closed, result, task, by);
}

interface Judging {
  readonly thread: Thread;
  readonly review: ForgeReview;
  readonly is: PersonsVerdict['is'];
  readonly only: readonly HallEvent[];
}

function judged(board: Board, { thread, review, is, only }: Judging, by: Now): Decision<ThreadId> {
  const { author, commit } = review;
  const verdict: PersonsVerdict = { commit, is, by: by.actor, type: null, account: author.id };
  const given: HallEvent = {
    type: 'ReviewGiven',
    thread: thread.id,
    verdict,
    text: textOf(review),
  };
  const after = { ...thread, forge: afterReview(thread.forge, verdict) };
  const when = { ...by, seq: board.seq + 2 + only.length };
  return decide(thread.id, [
    given,
    ...only,
    ...followUp(board, after, when),
    ...queuedForReview(board, after, when),
  ]);
}

/** The review with its comments on lines, as one text. */
function textOf({ body, comments }: ForgeReview): string {
  return [body.trim(), ...comments.map(commentText)].filter((text) => text !== '').join('\n\n');
}

function commentText({ path, line, body }: ReviewComment): string {
  return `${path}${line === null ? '' : `:${line}`}: ${body.trim()}`;
}
