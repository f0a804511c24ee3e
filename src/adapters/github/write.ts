import type { Account, ForgeCheck } from '../../domain/forge/snapshot.ts';
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
import * as github from './schema.ts';

export interface Writing {
  readonly client: ForgeClient;
  readonly own: () => Promise<Account>;
  /** Apps write check runs, accounts write commit statuses. */
  readonly isApp: boolean;
  readonly appId: number | null;
}

export async function ensurePullRequest(
  { client }: Writing,
  { repo, branch, base, title, body }: PullRequestPlan,
): Promise<PullRequestPlace> {
  const found = await openPull(client, repo, branch);
  if (found) return found;
  const into = base ?? (await defaultBranch(client, repo));
  const plan = { head: branch, base: into, title, body: cut(body) };
  const call = { method: 'POST', path: `/repos/${repo}/pulls`, body: plan } as const;
  const { status, body: answer } = await mustAnswer(client, call, 201, 422);
  if (status === 201) return placeFrom(parsed(github.Created, answer, 'a pull request'));
  const other = await openPull(client, repo, branch);
  if (other) return other;
  throw new ForgeFailed(`no pull request could be opened for ${branch}: ${messageIn(answer)}`, {
    retry: 'later',
  });
}

async function openPull(
  client: ForgeClient,
  repo: string,
  branch: string,
): Promise<PullRequestPlace | undefined> {
  const [owner] = repo.split('/');
  const query = new URLSearchParams({ head: `${owner}:${branch}`, state: 'open' });
  const [pull] = await listAll(client, `/repos/${repo}/pulls?${query}`, github.Created);
  return pull && placeFrom(pull);
}

function placeFrom({
  number,
  html_url: url,
}: {
  number: number;
  html_url: string;
}): PullRequestPlace {
  return { number, url };
}

async function defaultBranch(client: ForgeClient, repo: string): Promise<string> {
  const found = await getOne(client, `/repos/${repo}`, github.Repository);
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
  const own = (await writing.own()).id;
  const comments = {
    async list() {
      const found = await listAll(client, all, github.Comment);
      return found.map(({ id, body, user }) => ({ id, body: body ?? '', author: user?.id ?? 0 }));
    },
    async create(body: string) {
      const answer = await mustAnswer(
        client,
        { method: 'POST', path: all, body: { body: cut(body) } },
        201,
      );
      return parsed(github.CreatedComment, answer.body, 'a comment').id;
    },
    async edit(id: number, body: string) {
      const call = { method: 'PATCH', path: one(id), body: { body: cut(body) } } as const;
      return (await mustAnswer(client, call, 200, 404)).status === 200;
    },
    async remove(id: number) {
      await mustAnswer(client, { method: 'DELETE', path: one(id) }, 204, 404);
    },
  };
  return { id: await ensureMarkedComment(comments, { marker, text, id: plan.id, own }) };
}

/** GitHub refuses longer texts. */
const LONGEST = 65_536;
const CUT = '\n\n(cut: GitHub takes no longer text)';

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - CUT.length)}${CUT}`;
}

/** GitHub creates labels that the repository lacks when they are set. */
export async function setLabels(
  { client }: Writing,
  { repo, number, add, remove }: LabelPlan,
): Promise<void> {
  const place = `/repos/${repo}/issues/${number}/labels`;
  if (add.length > 0)
    await mustAnswer(client, { method: 'POST', path: place, body: { labels: add } }, 200);
  for (const label of remove) {
    await mustAnswer(
      client,
      { method: 'DELETE', path: `${place}/${encodeURIComponent(label)}` },
      200,
      404,
    );
  }
}

const STATES = { pending: 'pending', success: 'success', failure: 'failure' } as const;

/** A status replaces the earlier one of the same name by itself; a check run has to be found. */
export async function setStatus(
  writing: Writing,
  plan: StatusPlan,
): Promise<{ readonly id: number | null }> {
  const { repo, commit, name, is, summary, url } = plan;
  if (writing.isApp) return { id: await setCheckRun(writing, plan) };
  const body = {
    state: STATES[is],
    context: name,
    description: summary.slice(0, 140),
    ...(url !== null && { target_url: url }),
  };
  const path = `/repos/${repo}/statuses/${commit}`;
  await mustAnswer(writing.client, { method: 'POST', path, body }, 201);
  return { id: null };
}

async function setCheckRun({ client, appId }: Writing, plan: StatusPlan): Promise<number> {
  const { repo, commit, name, is, summary, url } = plan;
  const place = `/repos/${repo}/check-runs`;
  const content = {
    name,
    ...(is === 'pending' ? { status: 'in_progress' } : { status: 'completed', conclusion: is }),
    output: { title: summary, summary },
    ...(url !== null && { details_url: url }),
  };
  const query = new URLSearchParams({ check_name: name, per_page: '100' });
  const found =
    plan.id === null
      ? await getOne(
          client,
          `/repos/${repo}/commits/${commit}/check-runs?${query}`,
          github.CheckRuns,
        )
      : null;
  const id = plan.id ?? found?.check_runs.find(({ app }) => app?.id === appId)?.id;
  if (id !== undefined) {
    const call = { method: 'PATCH', path: `${place}/${id}`, body: content } as const;
    if ((await mustAnswer(client, call, 200, 404)).status === 200) return id;
  }
  const body = { ...content, head_sha: commit };
  const answer = await mustAnswer(client, { method: 'POST', path: place, body }, 201);
  return parsed(github.CreatedComment, answer.body, 'a check run').id;
}

const EVENTS = {
  approved: 'APPROVE',
  changes_requested: 'REQUEST_CHANGES',
  commented: 'COMMENT',
} as const;

/** GitHub refuses a verdict on one's own pull request; then it gets the text as a comment. */
export async function submitReview({ client }: Writing, plan: ReviewPlan): Promise<void> {
  const path = `/repos/${plan.repo}/pulls/${plan.number}/reviews`;
  const reviews = await listAll(client, path, github.Review);
  if (reviews.some(({ body }) => body?.startsWith(plan.marker))) return;
  for (const { event, commit, body, comments } of reviewTries(plan, EVENTS[plan.is])) {
    const onLines = comments.map(({ path: at, line, body: text }) => ({
      path: at,
      line,
      side: 'RIGHT',
      body: text,
    }));
    const at = commit === null ? {} : { commit_id: commit };
    const review = { ...at, event, body: cut(body), comments: onLines };
    const call = { method: 'POST', path, body: review } as const;
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

export async function merge({ client }: Writing, plan: MergePlan): Promise<ForgeMerge> {
  const { repo, number, commit, method, title } = plan;
  const path = `/repos/${repo}/pulls/${number}`;
  const pull = await getOne(client, path, github.Pull);
  if (!pull) return { is: 'refused', because: `there is no pull request ${number}` };
  if (pull.merged_at) return { is: 'merged', commit: pull.merge_commit_sha ?? pull.head.sha };
  if (pull.head.sha !== commit) return { is: 'moved' };
  if (pull.mergeable == null)
    return { is: 'not_yet', because: 'GitHub computes whether it can be merged' };
  if (!pull.mergeable) return { is: 'conflict' };
  const body = {
    sha: commit,
    merge_method: method,
    ...(method !== 'rebase' && { commit_title: title }),
  };
  const call = { method: 'PUT', path: `${path}/merge`, body } as const;
  const answer = await mustAnswer(client, call, 200, 405, 409, 422, 403);
  if (answer.status === 200)
    return { is: 'merged', commit: parsed(github.Merge, answer.body, 'a merge').sha };
  if (answer.status === 409) return { is: 'moved' };
  const because = messageIn(answer.body);
  if (/required status check|is expected|in progress|base branch was modified/i.test(because))
    return { is: 'not_yet', because };
  return { is: 'refused', because };
}

export async function deleteBranch(
  { client }: Writing,
  repo: string,
  branch: string,
): Promise<void> {
  const path = `/repos/${repo}/git/refs/heads/${branch.split('/').map(encodeURIComponent).join('/')}`;
  await mustAnswer(client, { method: 'DELETE', path }, 204, 404, 422);
}

export async function closeIssue({ client }: Writing, repo: string, number: number): Promise<void> {
  const path = `/repos/${repo}/issues/${number}`;
  await mustAnswer(client, { method: 'PATCH', path, body: { state: 'closed' } }, 200);
}

/** The page of a job of Actions names its run. A check run of another App only Apps may request again. */
export async function rerun(
  { client, isApp }: Writing,
  repo: string,
  { url, rerun: what }: ForgeCheck,
): Promise<boolean> {
  const [, run] = /\/actions\/runs\/(\d+)\//.exec(url ?? '') ?? [];
  const [, id] = /^check-run (\d+)$/.exec(what ?? '') ?? [];
  if (run === undefined && (id === undefined || !isApp)) return false;
  const path =
    run === undefined ? `check-runs/${id}/rerequest` : `actions/runs/${run}/rerun-failed-jobs`;
  const call = { method: 'POST', path: `/repos/${repo}/${path}` } as const;
  return (await mustAnswer(client, call, 201, 403, 404, 422)).status === 201;
}
