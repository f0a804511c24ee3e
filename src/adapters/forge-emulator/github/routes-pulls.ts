import { z } from 'zod';
import { readChanges } from '../git/read-commits.ts';
import { type Call, created, ok, type Route } from '../http/answer.ts';
import { accountsIn, bodyOf, pullIn, repositoryIn } from '../http/call-parts.ts';
import { editText } from '../state/issues.ts';
import { lookAtMergeability } from '../state/mergeability.ts';
import { mergePull } from '../state/merging.ts';
import type { PullIssue } from '../state/model.ts';
import { changeBase, openPull, requestReview, setPullOpen } from '../state/pulls.ts';
import { NEEDS } from '../state/rights.ts';
import { listed } from './lists.ts';
import { showFile, showPull, showPullInList } from './show-pulls.ts';

const PULLS = '/repos/{owner}/{repo}/pulls';
const PULL = `${PULLS}/{pull_number}`;

const NewPull = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().optional(),
});

const EditedPull = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  base: z.string().optional(),
});

const Merge = z.object({
  sha: z.string().optional(),
  merge_method: z.string().optional(),
  commit_title: z.string().optional(),
  commit_message: z.string().optional(),
});

export const PULL_ROUTES: readonly Route[] = [
  { method: 'GET', path: PULLS, answer: (call) => listPulls(call) },
  {
    method: 'POST',
    path: PULLS,
    async answer(call) {
      const { world, caller, urls } = call;
      const repository = repositoryIn(call, NEEDS.readPulls);
      const { body, draft = false, ...plan } = bodyOf(call, NewPull);
      const wish = { ...plan, body: body ?? '', isDraft: draft };
      const issue = await openPull(world, { caller, repository }, wish);
      return created(showPull(world, issue as PullIssue, urls));
    },
  },
  {
    method: 'GET',
    path: PULL,
    answer(call) {
      const issue = pullIn(call, NEEDS.readPulls);
      const body = showPull(call.world, issue, call.urls);
      lookAtMergeability(call.world, issue);
      return ok(body);
    },
  },
  { method: 'PATCH', path: PULL, answer: (call) => editPull(call) },
  { method: 'PUT', path: `${PULL}/merge`, answer: (call) => merge(call) },
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
  reviewerRoute('POST'),
  reviewerRoute('DELETE'),
];

/** `head` is `owner:branch`; without the owner GitHub ignores it, and so does this. */
function listPulls(call: Call) {
  const { query, world, urls } = call;
  const repository = repositoryIn(call, NEEDS.readPulls);
  const state = query.get('state') ?? 'open';
  const head = query.get('head') ?? '';
  const base = query.get('base');
  const by = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const found = [...repository.issues.values()]
    .filter((issue): issue is PullIssue => issue.pull !== null)
    .filter((issue) => state === 'all' || issue.isOpen === (state === 'open'))
    .filter(({ pull }) => base === null || pull.baseBranch === base)
    .filter(({ pull }) => !head.includes(':') || head === labelOf(pull))
    .sort((a, b) => b[by] - a[by] || b.number - a.number);
  const ordered = query.get('direction') === 'asc' ? found.reverse() : found;
  return listed(call, ordered, (issue) => showPullInList(world, issue, urls));
}

function labelOf({ headRepository, headBranch }: PullIssue['pull']): string {
  return `${headRepository.owner.login}:${headBranch}`;
}

async function editPull(call: Call) {
  const { world, caller, urls } = call;
  const issue = pullIn(call, NEEDS.review);
  const { title, body, state, base } = bodyOf(call, EditedPull);
  editText(world, { caller, issue }, { title, body: body ?? undefined });
  if (base !== undefined) await changeBase(world, { caller, issue }, base);
  if (state) setPullOpen(world, { caller, issue }, state === 'open');
  return ok(showPull(world, issue, urls));
}

async function merge(call: Call) {
  const { world, caller } = call;
  const issue = pullIn(call, NEEDS.push);
  const wish = bodyOf(call, Merge);
  const text = [wish.commit_title, wish.commit_message].filter((part) => part !== undefined);
  const sha = await mergePull(
    world,
    { caller, issue },
    {
      sha: wish.sha ?? null,
      how: wish.merge_method ?? 'merge',
      message: text.length === 0 ? null : text.join('\n\n'),
      deletesBranch: false,
    },
  );
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

function reviewerRoute(method: 'POST' | 'DELETE'): Route {
  const Reviewers = z.object({ reviewers: z.array(z.string()).optional() });
  return {
    method,
    path: `${PULL}/requested_reviewers`,
    answer(call) {
      const { world, caller, urls } = call;
      const issue = pullIn(call, NEEDS.editPull);
      const reviewers = accountsIn(call, bodyOf(call, Reviewers).reviewers ?? []);
      requestReview(world, { caller, issue }, { reviewers, isAdded: method === 'POST' });
      const body = showPullInList(world, issue, urls);
      return method === 'POST' ? created(body) : ok(body);
    },
  };
}
