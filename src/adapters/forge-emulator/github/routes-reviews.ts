import { z } from 'zod';
import { type Call, ok, type Route } from '../http/answer.ts';
import { bodyOf, isSince, pullIn } from '../http/call-parts.ts';
import type { ReviewState } from '../state/model.ts';
import { reviewNumbered, submitReview } from '../state/reviews.ts';
import { NEEDS } from '../state/rights.ts';
import { listed } from './lists.ts';
import { showReview, showReviewComment } from './show-pulls.ts';

const PULL = '/repos/{owner}/{repo}/pulls/{pull_number}';

const STATES: Readonly<Record<string, ReviewState>> = {
  APPROVE: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  COMMENT: 'commented',
};

const NewReview = z.object({
  event: z.string().optional(),
  body: z.string().optional(),
  commit_id: z.string().optional(),
  comments: z
    .array(
      z.object({
        path: z.string(),
        body: z.string(),
        line: z.int().optional(),
        position: z.int().optional(),
      }),
    )
    .optional(),
});

export const REVIEW_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${PULL}/reviews`,
    answer(call) {
      const issue = pullIn(call, NEEDS.readPulls);
      return listed(call, issue.pull.reviews, (review) =>
        showReview(call.world, { issue, review }, call.urls),
      );
    },
  },
  { method: 'POST', path: `${PULL}/reviews`, answer: (call) => submit(call) },
  {
    method: 'GET',
    path: `${PULL}/reviews/{review_id}/comments`,
    answer(call) {
      const issue = pullIn(call, NEEDS.readPulls);
      const review = reviewNumbered(issue.pull, Number(call.params['review_id']));
      const comments = issue.pull.reviewComments.filter((comment) => comment.review === review);
      return listed(call, comments, (comment) => showComment(call, issue, comment));
    },
  },
  {
    method: 'GET',
    path: `${PULL}/comments`,
    answer(call) {
      const issue = pullIn(call, NEEDS.readPulls);
      const isNewEnough = isSince(call);
      const comments = issue.pull.reviewComments.filter((each) => isNewEnough(each.createdAt));
      return listed(call, comments, (comment) => showComment(call, issue, comment));
    },
  },
];

async function submit(call: Call) {
  const { world, caller, urls } = call;
  const issue = pullIn(call, NEEDS.review);
  const { event = '', body = '', commit_id: commit, comments = [] } = bodyOf(call, NewReview);
  const review = await submitReview(
    world,
    { caller, issue },
    {
      state: STATES[event] ?? 'pending',
      body,
      commit: commit ?? null,
      comments: comments.map(({ path, body: text, line }) => ({
        path,
        body: text,
        line: line ?? null,
      })),
    },
  );
  return ok(showReview(world, { issue, review }, urls));
}

type PullOf = ReturnType<typeof pullIn>;

function showComment(
  { world, urls }: Call,
  issue: PullOf,
  comment: PullOf['pull']['reviewComments'][number],
) {
  return showReviewComment(world, { issue, comment }, urls);
}
