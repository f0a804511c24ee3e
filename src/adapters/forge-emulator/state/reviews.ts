import { readChanges } from '../git/read-commits.ts';
import { EmulatorRefused } from './emulator-refused.ts';
import type { Caller, Pull, PullIssue, Review, ReviewState } from './model.ts';
import { actorOf, includes, NEEDS, requireRight, roleOf } from './rights.ts';
import { recordInTimeline } from './timeline.ts';
import type { World } from './world.ts';

interface By {
  readonly caller: Caller;
  readonly issue: PullIssue;
}

interface NewReview {
  readonly state: ReviewState;
  readonly body: string;
  readonly commit: string | null;
  readonly comments: readonly LineComment[];
}

export interface LineComment {
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
}

/** One review with all its comments: it is taken as a whole or refused as a whole. */
export async function submitReview(
  world: World,
  { caller, issue }: By,
  plan: NewReview,
): Promise<Review> {
  const { pull, repository } = issue;
  requireRight(world, { caller, repository }, NEEDS.review);
  const author = actorOf(caller);
  const isVerdict = plan.state === 'approved' || plan.state === 'changes_requested';
  if (isVerdict && author === issue.author) throw new EmulatorRefused('own_review', plan.state);
  const needsBody = plan.state === 'changes_requested' || plan.state === 'commented';
  if (needsBody && plan.body === '' && plan.comments.length === 0) {
    throw new EmulatorRefused('invalid', 'body');
  }
  if (world.rules.reviewsCheckLines) await refuseOtherLines(world, issue, plan.comments);
  const commentId = world.nextId(world.rules.timelineIds === 'comment' ? 'comment' : 'review');
  const review: Review = {
    id: world.rules.timelineIds === 'comment' ? world.nextId('review') : commentId,
    ...{ author, state: plan.state, body: plan.body, commit: plan.commit ?? pull.headSha },
    ...{ submittedAt: world.now(), commentId, isDismissed: false },
    isOfficial: isVerdict && includes(roleOf(world, repository, author), 'write'),
  };
  if (review.isOfficial) supersede(world, pull, review);
  addComments(world, { pull, review }, plan.comments);
  pull.reviewRequests.delete(author);
  if (world.rules.reviewsAnswerRequests) {
    pull.requestedReviewers = pull.requestedReviewers.filter((each) => each !== author);
  }
  const entry = { is: 'reviewed', review } as const;
  recordInTimeline(world, issue, { caller, entry, id: commentId });
  world.emit({ is: 'reviewed', repository, sender: author, issue, review, action: 'submitted' });
  return review;
}

export function reviewNumbered({ reviews }: Pull, id: number): Review {
  const review = reviews.find((each) => each.id === id);
  if (!review) throw new EmulatorRefused('not_found', `review ${id}`);
  return review;
}

export function dismissReview(world: World, { caller, issue }: By, review: Review): void {
  const { repository } = issue;
  requireRight(world, { caller, repository }, NEEDS.editPull);
  dismiss(world, { caller, issue }, review);
}

/** Where the base branch asks for it, a push takes approvals of older commits away. */
export function dismissStaleReviews(world: World, { caller, issue }: By): void {
  const { pull, repository } = issue;
  if (!repository.protections.get(pull.baseBranch)?.dismissesStale) return;
  for (const review of pull.reviews) {
    const isStale = review.state === 'approved' && review.commit !== pull.headSha;
    if (isStale && !review.isDismissed) dismiss(world, { caller, issue }, review);
  }
}

/** The last verdict of each reviewer whose word counts. */
export function verdictsOf({ reviews }: Pull): Review[] {
  const last = new Map(
    reviews
      .filter(({ isOfficial, isDismissed }) => isOfficial && !isDismissed)
      .map((review) => [review.author, review]),
  );
  return [...last.values()];
}

function dismiss(world: World, { caller, issue }: By, review: Review): void {
  review.isDismissed = true;
  review.isOfficial = false;
  issue.updatedAt = world.now();
  const sender = actorOf(caller);
  const { repository } = issue;
  world.emit({ is: 'reviewed', repository, sender, issue, review, action: 'dismissed' });
}

/** Gitea marks the older verdict of the same reviewer as dismissed; GitHub leaves it as it was. */
function supersede({ rules }: World, { reviews }: Pull, { author }: Review): void {
  if (!rules.newReviewDismissesOlder) return;
  for (const older of reviews) {
    if (older.author !== author || !older.isOfficial) continue;
    older.isOfficial = false;
    older.isDismissed = true;
  }
}

function addComments(
  world: World,
  { pull, review }: { readonly pull: Pull; readonly review: Review },
  comments: readonly LineComment[],
): void {
  pull.reviews.push(review);
  for (const { path, line, body } of comments) {
    pull.reviewComments.push({
      ...{ id: world.nextId('review_comment'), review, author: review.author },
      ...{ path, line, body, commit: review.commit, createdAt: review.submittedAt },
    });
  }
}

/** GitHub takes comments only on lines that the diff shows, and refuses the review if one is elsewhere. */
async function refuseOtherLines(
  { git }: World,
  { pull, repository }: PullIssue,
  comments: readonly LineComment[],
): Promise<void> {
  if (comments.length === 0) return;
  const files = await readChanges(git, repository.dir, [pull.mergeBase, pull.headSha]);
  for (const { path, line } of comments) {
    const file = files.find((each) => each.path === path);
    if (!file) throw new EmulatorRefused('invalid', 'path');
    if (line !== null && !shownLines(file.patch).has(line))
      throw new EmulatorRefused('invalid', 'line');
  }
}

function shownLines(patch: string): Set<number> {
  const shown = new Set<number>();
  let next = 0;
  for (const text of patch.split('\n')) {
    const [, start] = /^@@ -\S+ \+(\d+)/.exec(text) ?? [];
    if (start !== undefined) {
      next = Number(start);
    } else if (!text.startsWith('-') && !text.startsWith('\\')) {
      shown.add(next);
      next += 1;
    }
  }
  return shown;
}
