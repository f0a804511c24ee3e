import { z } from 'zod';
import { readChanges } from '../git/read-commits.ts';
import { type Call, created, NOTHING, ok, type Route } from '../http/answer.ts';
import { accountsIn, bodyOf, pullIn, repositoryIn } from '../http/call-parts.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import { assign, editText, labelIssue } from '../state/issues.ts';
import { mergePull } from '../state/merging.ts';
import type { PullIssue, Repository, ReviewState } from '../state/model.ts';
import { changeBase, openPull, requestReview, setPullOpen } from '../state/pulls.ts';
import { dismissReview, reviewNumbered, submitReview } from '../state/reviews.ts';
import { NEEDS } from '../state/rights.ts';
import { listed } from './lists.ts';
import { showFile, showPull, showRequest, showReview, showReviewComment } from './show-pulls.ts';

const PULLS = '/repos/{owner}/{repo}/pulls';
const PULL = `${PULLS}/{index}`;

const NewPull = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string().optional(),
});

const EditedPull = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  base: z.string().optional(),
  assignees: z.array(z.string()).nullish(),
  labels: z.array(z.int()).nullish(),
});

const Merge = z.object({
  Do: z.string(),
  head_commit_id: z.string().optional(),
  delete_branch_after_merge: z.boolean().optional(),
  MergeTitleField: z.string().optional(),
  MergeMessageField: z.string().optional(),
  force_merge: z.boolean().optional(),
  merge_when_checks_succeed: z.boolean().optional(),
});

export const PULL_ROUTES: readonly Route[] = [
  { method: 'GET', path: PULLS, answer: (call) => listPulls(call) },
  {
    method: 'POST',
    path: PULLS,
    async answer(call) {
      const { world, caller, urls } = call;
      const repository = repositoryIn(call, NEEDS.readPulls);
      const { body = '', ...plan } = bodyOf(call, NewPull);
      const isDraft = /^(WIP:|\[WIP\])/i.test(plan.title);
      const issue = await openPull(world, { caller, repository }, { ...plan, body, isDraft });
      return created(showPull(issue as PullIssue, urls));
    },
  },
  {
    method: 'GET',
    path: PULL,
    answer: (call) => ok(showPull(pullIn(call, NEEDS.readPulls), call.urls)),
  },
  { method: 'GET', path: `${PULLS}/{base}/{branch}`, answer: (call) => pullOfBranch(call) },
  { method: 'PATCH', path: PULL, answer: (call) => editPull(call) },
  { method: 'POST', path: `${PULL}/merge`, answer: (call) => merge(call) },
  {
    method: 'GET',
    path: `${PULL}/merge`,
    answer(call) {
      if (!pullIn(call, NEEDS.readPulls).pull.merged)
        throw new EmulatorRefused('not_found', 'merge');
      return NOTHING;
    },
  },
  {
    method: 'GET',
    path: `${PULL}/files`,
    async answer(call) {
      const issue = pullIn(call, NEEDS.readPulls);
      const { pull, repository } = issue;
      const range = [pull.mergeBase, pull.headSha] as const;
      const files = await readChanges(call.world.git, repository.dir, range);
      return listed(call, files, (file) => showFile(file, issue, call.urls));
    },
  },
  ...reviewRoutes(),
  requestRoute('POST'),
  requestRoute('DELETE'),
];

function pullsOf({ issues }: Repository): PullIssue[] {
  return [...issues.values()].filter((issue): issue is PullIssue => issue.pull !== null);
}

function listPulls(call: Call) {
  const repository = repositoryIn(call, NEEDS.readPulls);
  const state = call.query.get('state') ?? 'open';
  const found = pullsOf(repository)
    .filter((issue) => state === 'all' || issue.isOpen === (state === 'open'))
    .sort((a, b) => b.number - a.number);
  return listed(call, found, (issue) => showPull(issue, call.urls));
}

/** The newest of a branch, open or not. */
function pullOfBranch(call: Call) {
  const { base, branch } = call.params;
  const found = pullsOf(repositoryIn(call, NEEDS.readPulls)).findLast(
    ({ pull }) => pull.baseBranch === base && pull.headBranch === branch,
  );
  if (!found) throw new EmulatorRefused('not_found', branch);
  return ok(showPull(found, call.urls));
}

async function editPull(call: Call) {
  const { world, caller, urls } = call;
  const issue = pullIn(call, NEEDS.review);
  const { title, body, state, base, assignees, labels } = bodyOf(call, EditedPull);
  editText(world, { caller, issue }, { title, body: body ?? undefined });
  if (assignees) {
    const add = accountsIn(call, assignees);
    const remove = issue.assignees.filter((account) => !add.includes(account));
    assign(world, { caller, issue }, { add, remove });
  }
  if (labels) {
    const add = issue.repository.labels.filter(({ id }) => labels.includes(id));
    labelIssue(world, { caller, issue }, { add, isReplacement: true });
  }
  if (base !== undefined) await changeBase(world, { caller, issue }, base);
  if (state) setPullOpen(world, { caller, issue }, state === 'open');
  return created(showPull(issue, urls));
}

async function merge(call: Call) {
  const { world, caller } = call;
  const issue = pullIn(call, NEEDS.readPulls);
  const wish = bodyOf(call, Merge);
  const title = wish.MergeTitleField ?? titleOf(issue);
  const message = [title, wish.MergeMessageField].filter((part) => part !== undefined);
  await mergePull(
    world,
    { caller, issue },
    {
      sha: wish.head_commit_id ?? null,
      how: wish.Do,
      message: message.join('\n\n'),
      deletesBranch: wish.delete_branch_after_merge ?? false,
    },
  );
  return { status: 200 };
}

function titleOf({ title, number, pull }: PullIssue): string {
  return `Merge pull request '${title}' (#${number}) from ${pull.headBranch} into ${pull.baseBranch}`;
}

const STATES: Readonly<Record<string, ReviewState>> = {
  APPROVED: 'approved',
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
        new_position: z.int().optional(),
        old_position: z.int().optional(),
      }),
    )
    .nullish(),
});

function reviewRoutes(): Route[] {
  const path = `${PULL}/reviews`;
  const reviewIn = (call: Call, issue: PullIssue) =>
    reviewNumbered(issue.pull, Number(call.params['id']));
  return [
    {
      method: 'GET',
      path,
      answer(call) {
        const issue = pullIn(call, NEEDS.readPulls);
        const { reviews, reviewRequests } = issue.pull;
        const all = [
          ...reviews.map((review) => showReview(issue, review, call.urls)),
          ...[...reviewRequests.keys()].map((account) => showRequest(issue, account, call.urls)),
        ].sort((a, b) => a.id - b.id);
        return listed(call, all, (review) => review);
      },
    },
    { method: 'POST', path, answer: (call) => postReview(call) },
    {
      method: 'GET',
      path: `${path}/{id}/comments`,
      answer(call) {
        const issue = pullIn(call, NEEDS.readPulls);
        const review = reviewIn(call, issue);
        const comments = issue.pull.reviewComments.filter((each) => each.review === review);
        return ok(comments.map((comment) => showReviewComment(issue, comment, call.urls)));
      },
    },
    {
      method: 'POST',
      path: `${path}/{id}/dismissals`,
      answer(call) {
        const { world, caller, urls } = call;
        const issue = pullIn(call, NEEDS.editPull);
        const review = reviewIn(call, issue);
        dismissReview(world, { caller, issue }, review);
        return ok(showReview(issue, review, urls));
      },
    },
  ];
}

async function postReview(call: Call) {
  const { world, caller, urls } = call;
  const issue = pullIn(call, NEEDS.review);
  const { event = '', body = '', commit_id: commit, comments } = bodyOf(call, NewReview);
  const plan = {
    state: STATES[event] ?? ('pending' as const),
    body,
    commit: commit ?? null,
    comments: (comments ?? []).map((each) => ({
      path: each.path,
      body: each.body,
      line: each.new_position ?? null,
    })),
  };
  const review = await submitReview(world, { caller, issue }, plan);
  return ok(showReview(issue, review, urls));
}

function requestRoute(method: 'POST' | 'DELETE'): Route {
  const Reviewers = z.object({ reviewers: z.array(z.string()).nullish() });
  return {
    method,
    path: `${PULL}/requested_reviewers`,
    answer(call) {
      const { world, caller, urls } = call;
      const issue = pullIn(call, NEEDS.readPulls);
      const reviewers = accountsIn(call, bodyOf(call, Reviewers).reviewers ?? []);
      const isAdded = method === 'POST';
      requestReview(world, { caller, issue }, { reviewers, isAdded });
      if (!isAdded) return NOTHING;
      return created(reviewers.map((account) => showRequest(issue, account, urls)));
    },
  };
}
