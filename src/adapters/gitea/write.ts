import type { z } from 'zod';
import {
  type CommentPlan,
  ForgeFailed,
  type ForgeMerge,
  type LabelPlan,
  type MergePlan,
  type PullRequestPlace,
  type PullRequestPlan,
  type ReviewPlan,
  type StatusPlan,
} from '../../ports/forge.ts';
import { type ForgeClient, messageIn } from '../forge/client.ts';
import { ensureMarkedComment } from '../forge/marked-comment.ts';
import { mustAnswer } from '../forge/must-answer.ts';
import { parsed } from '../forge/parse.ts';
import { reviewTries } from '../forge/review-tries.ts';
import { getOne, listAll } from './read.ts';
import * as gitea from './schema.ts';

export interface Writing {
  readonly client: ForgeClient;
  /** The id of the hall's own account. */
  readonly own: () => Promise<number>;
}

export async function ensurePullRequest(
  { client }: Writing,
  { repo, branch, base, title, body }: PullRequestPlan,
): Promise<PullRequestPlace> {
  const into = base ?? (await defaultBranch(client, repo));
  const found = await openPull(client, { repo, branch, into });
  if (found) return found;
  const call = {
    method: 'POST',
    path: `/repos/${repo}/pulls`,
    body: { head: branch, base: into, title, body },
  } as const;
  const { status, body: answer } = await mustAnswer(client, call, 201, 409);
  if (status === 201) return placeFrom(parsed(gitea.Place, answer, 'a pull request'));
  const other = await openPull(client, { repo, branch, into });
  if (other) return other;
  throw new ForgeFailed(`no pull request could be opened for ${branch}: ${messageIn(answer)}`, {
    retry: 'later',
  });
}

interface Branches {
  readonly repo: string;
  readonly branch: string;
  readonly into: string;
}

async function openPull(
  client: ForgeClient,
  { repo, branch, into }: Branches,
): Promise<PullRequestPlace | undefined> {
  const path = `/repos/${repo}/pulls/${encodeURIComponent(into)}/${encodeURIComponent(branch)}`;
  const pull = await getOne(client, path, gitea.Pull);
  return pull?.state === 'open' ? placeFrom(pull) : undefined;
}

function placeFrom({ number, html_url: url }: z.output<typeof gitea.Place>): PullRequestPlace {
  return { number, url };
}

async function defaultBranch(client: ForgeClient, repo: string): Promise<string> {
  const found = await getOne(client, `/repos/${repo}`, gitea.Repository);
  if (!found)
    throw new ForgeFailed(`there is no repository ${repo}, or the hall may not read it`, {
      retry: 'never',
    });
  return found.default_branch;
}

export async function ensureComment(
  writing: Writing,
  plan: CommentPlan,
): Promise<{ readonly id: number }> {
  const { client } = writing;
  const { repo, number, marker, text } = plan;
  const all = `/repos/${repo}/issues/${number}/comments`;
  const one = (id: number) => `/repos/${repo}/issues/comments/${id}`;
  const comments = {
    async list() {
      const { body } = await mustAnswer(client, { method: 'GET', path: all }, 200);
      const found = Array.isArray(body) ? body.map((each) => parsed(gitea.Comment, each, all)) : [];
      return found.map(({ id, body: said, user }) => ({ id, body: said, author: user?.id ?? 0 }));
    },
    async create(body: string) {
      const answer = await mustAnswer(client, { method: 'POST', path: all, body: { body } }, 201);
      return parsed(gitea.CreatedComment, answer.body, 'a comment').id;
    },
    async edit(id: number, body: string) {
      const call = { method: 'PATCH', path: one(id), body: { body } } as const;
      return (await mustAnswer(client, call, 200, 404)).status === 200;
    },
    async remove(id: number) {
      await mustAnswer(client, { method: 'DELETE', path: one(id) }, 204, 404);
    },
  };
  const own = await writing.own();
  return { id: await ensureMarkedComment(comments, { marker, text, id: plan.id, own }) };
}

/** A second label of the same name is not refused, so the hall looks before it creates one. */
export async function setLabels(
  { client }: Writing,
  { repo, number, add, remove }: LabelPlan,
): Promise<void> {
  const known = await listAll(client, `/repos/${repo}/labels`, gitea.Label);
  const idsOf = (name: string) =>
    known.filter((label) => label.name.toLowerCase() === name.toLowerCase()).map(({ id }) => id);
  const place = `/repos/${repo}/issues/${number}/labels`;
  for (const name of add) {
    const [id = await createLabel(client, repo, name)] = idsOf(name);
    await mustAnswer(client, { method: 'POST', path: place, body: { labels: [id] } }, 200);
  }
  for (const id of remove.flatMap(idsOf)) {
    await mustAnswer(client, { method: 'DELETE', path: `${place}/${id}` }, 204, 404);
  }
}

async function createLabel(client: ForgeClient, repo: string, name: string): Promise<number> {
  const body = { name, color: '#5319e7', description: 'Set by the hall' };
  const answer = await mustAnswer(
    client,
    { method: 'POST', path: `/repos/${repo}/labels`, body },
    201,
  );
  return parsed(gitea.Label, answer.body, 'a label').id;
}

/** A status replaces the earlier one of the same name by itself. */
export async function setStatus(
  { client }: Writing,
  plan: StatusPlan,
): Promise<{ readonly id: null }> {
  const { repo, commit, name, is, summary, url } = plan;
  const body = {
    state: is,
    context: name,
    description: summary,
    ...(url !== null && { target_url: url }),
  };
  await mustAnswer(
    client,
    { method: 'POST', path: `/repos/${repo}/statuses/${commit}`, body },
    201,
  );
  return { id: null };
}

const EVENTS = {
  approved: 'APPROVED',
  changes_requested: 'REQUEST_CHANGES',
  commented: 'COMMENT',
} as const;

/** A verdict on one's own pull request is refused; then it gets the text as a comment. */
export async function submitReview({ client }: Writing, plan: ReviewPlan): Promise<void> {
  const path = `/repos/${plan.repo}/pulls/${plan.number}/reviews`;
  const reviews = await listAll(client, path, gitea.Review);
  if (reviews.some(({ body }) => body.startsWith(plan.marker))) return;
  for (const { event, commit, body, comments } of reviewTries(plan, EVENTS[plan.is])) {
    const onLines = comments.map(({ path: at, line, body }) => ({
      path: at,
      new_position: line,
      body,
    }));
    const at = commit === null ? {} : { commit_id: commit };
    const call = { method: 'POST', path, body: { ...at, event, body, comments: onLines } } as const;
    if ((await mustAnswer(client, call, 200, 422)).status === 200) return;
  }
  throw new ForgeFailed(`no review could be written on ${plan.number}`, { retry: 'later' });
}

export async function requestReview(
  { client }: Writing,
  { repo, number, login }: { repo: string; number: number; login: string },
): Promise<void> {
  const path = `/repos/${repo}/pulls/${number}/requested_reviewers`;
  const call = { method: 'POST', path, body: { reviewers: [login] } } as const;
  await mustAnswer(client, call, 201, 404, 422);
}

/**
 * Gitea answers 405 both for "wait" and for "no"; only its text tells them apart. "Try again later" is also its
 * answer to a conflict, and its pull requests are not `mergeable` in both cases.
 */
const NOT_YET = /try again later|not all required status checks|checking/i;

export async function merge({ client }: Writing, plan: MergePlan): Promise<ForgeMerge> {
  const { repo, number, commit, method, title } = plan;
  const path = `/repos/${repo}/pulls/${number}`;
  const pull = await getOne(client, path, gitea.Pull);
  if (!pull) return { is: 'refused', because: `there is no pull request ${number}` };
  if (pull.merged) return { is: 'merged', commit: pull.merge_commit_sha ?? pull.head.sha };
  if (pull.head.sha !== commit) return { is: 'moved' };
  const body = {
    Do: method,
    head_commit_id: commit,
    ...(method !== 'rebase' && { MergeTitleField: title }),
  };
  const answer = await mustAnswer(
    client,
    { method: 'POST', path: `${path}/merge`, body },
    200,
    405,
    409,
    403,
    422,
  );
  if (answer.status === 200) return merged(client, path, commit);
  if (answer.status === 409) return { is: 'moved' };
  const because = messageIn(answer.body);
  if (/already merged/i.test(because)) return merged(client, path, commit);
  return { is: NOT_YET.test(because) ? 'not_yet' : 'refused', because };
}

async function merged(client: ForgeClient, path: string, commit: string): Promise<ForgeMerge> {
  const pull = await getOne(client, path, gitea.Pull);
  return { is: 'merged', commit: pull?.merge_commit_sha ?? commit };
}

export async function deleteBranch(
  { client }: Writing,
  repo: string,
  branch: string,
): Promise<void> {
  const path = `/repos/${repo}/branches/${encodeURIComponent(branch)}`;
  await mustAnswer(client, { method: 'DELETE', path }, 204, 404);
}

export async function closeIssue({ client }: Writing, repo: string, number: number): Promise<void> {
  const path = `/repos/${repo}/issues/${number}`;
  await mustAnswer(client, { method: 'PATCH', path, body: { state: 'closed' } }, 201);
}

/** Forgejo has no such call, and an outside CI is not asked at all. */
export async function rerun(
  { client }: Writing,
  repo: string,
  what: string | null,
): Promise<boolean> {
  const [, run] = /^run (\d+)/.exec(what ?? '') ?? [];
  if (run === undefined) return false;
  const path = `/repos/${repo}/actions/runs/${run}/rerun-failed-jobs`;
  const { status } = await mustAnswer(client, { method: 'POST', path }, 201, 400, 403, 404, 409);
  return status === 201;
}
