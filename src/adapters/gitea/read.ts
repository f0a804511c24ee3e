import type { z } from 'zod';
import type {
  ForgeCheck,
  ForgeReview,
  ForgeSnapshot,
  IssueSnapshot,
  PullSnapshot,
} from '../../domain/forge/snapshot.ts';
import { ForgeFailed, type LookTarget, type OpenIssues } from '../../ports/forge.ts';
import type { ForgeClient } from '../forge/client.ts';
import { allItems } from '../forge/paging.ts';
import { instantIn, parsed } from '../forge/parse.ts';
import {
  accountFrom,
  checkFrom,
  commentFrom,
  reviewFrom,
  setAssignees,
  setLabels,
} from './convert.ts';
import * as gitea from './schema.ts';

interface Reading {
  readonly client: ForgeClient;
  /** The id of the hall's own account; statuses that it wrote do not count. */
  readonly own: () => Promise<number>;
}

/** One item, or null when it does not exist. */
export async function getOne<S extends z.ZodType>(
  client: ForgeClient,
  path: string,
  schema: S,
): Promise<z.output<S> | null> {
  const { status, body } = await client.call({ method: 'GET', path });
  if (status === 404 || status === 410 || status === 301 || status === 307) return null;
  if (status === 200) return parsed(schema, body, path);
  throw new ForgeFailed(`GET ${path} was answered with ${status}`, { retry: 'later' });
}

export async function listAll<S extends z.ZodType>(
  client: ForgeClient,
  path: string,
  schema: S,
): Promise<readonly z.output<S>[]> {
  const pages = { path, perPage: 50, perPageName: 'limit', maxPages: 200 } as const;
  const items = await allItems(client, pages);
  return (items ?? []).map((item) => parsed(schema, item, path));
}

/** A repository that does not answer is a failure: without it every issue would seem to be gone. */
export async function openIssues(
  client: ForgeClient,
  repo: string,
  labels: readonly string[],
): Promise<OpenIssues> {
  const query = new URLSearchParams({
    state: 'open',
    type: 'issues',
    ...(labels.length > 0 && { labels: labels.join(',') }),
  });
  const path = `/repos/${repo}/issues?${query}`;
  const items = await allItems(client, { path, perPage: 50, perPageName: 'limit', maxPages: 20 });
  if (items === null) throw new ForgeFailed(`there is no repository ${repo}`, { retry: 'later' });
  const issues = items
    .map((item) => parsed(gitea.Issue, item, path))
    .filter((issue) => !issue.pull_request && hasAll(issue, labels))
    .map(({ number, title }) => ({ number, title }));
  return { issues, isComplete: items.length < MAX_ISSUES };
}

const MAX_ISSUES = 1_000;

/** Asked for a label that the repository lacks, Gitea ignores it and answers with all. */
function hasAll(issue: z.output<typeof gitea.Issue>, wanted: readonly string[]): boolean {
  const names = (issue.labels ?? []).map(({ name }) => name.toLowerCase());
  return wanted.every((label) => names.includes(label.toLowerCase()));
}

export async function look(reading: Reading, target: LookTarget): Promise<ForgeSnapshot | null> {
  const { client } = reading;
  const { repo, number, seen } = target;
  const item = await getOne(client, `/repos/${repo}/issues/${number}`, gitea.Issue);
  if (item === null) return null;
  if (item.pull_request)
    return { issue: null, pull: await readPull(reading, { repo, number, seen }) };
  const issue = await readIssue(client, target, item);
  const pull = await findPull(client, target);
  const place = pull === null ? null : { repo: target.pull?.repo ?? repo, number: pull, seen };
  return { issue, pull: place && (await readPull(reading, place)) };
}

async function findPull(client: ForgeClient, { pull }: LookTarget): Promise<number | null> {
  if (!pull) return null;
  if (pull.number !== null) return pull.number;
  const pulls = await listAll(
    client,
    `/repos/${pull.repo}/pulls?state=all&sort=recentupdate`,
    gitea.Pull,
  );
  return pulls.find(({ head }) => head.ref === pull.branch)?.number ?? null;
}

async function readIssue(
  client: ForgeClient,
  { repo, number, seen }: LookTarget,
  item: z.output<typeof gitea.Issue>,
): Promise<IssueSnapshot> {
  const place = `/repos/${repo}/issues/${number}`;
  const timeline = await listAll(client, `${place}/timeline`, gitea.TimelineEvent);
  return {
    number,
    url: item.html_url,
    title: item.title,
    body: item.body,
    author: accountFrom(item.user),
    isOpen: item.state === 'open',
    updatedAt: instantIn(item.updated_at),
    labels: setLabels(
      (item.labels ?? []).map(({ name }) => name),
      timeline,
    ),
    assignees: setAssignees(item.assignees ?? [], timeline),
    comments: await readComments(client, place, seen.comment),
  };
}

/** This list has no pages. */
async function readComments(client: ForgeClient, place: string, after: number) {
  const { status, body } = await client.call({ method: 'GET', path: `${place}/comments` });
  if (status !== 200 || !Array.isArray(body)) return [];
  return body
    .map((comment) => parsed(gitea.Comment, comment, `${place}/comments`))
    .filter(({ id }) => id > after)
    .map(commentFrom);
}

interface PullPlace {
  readonly repo: string;
  readonly number: number;
  readonly seen: LookTarget['seen'];
}

async function readPull(
  reading: Reading,
  { repo, number, seen }: PullPlace,
): Promise<PullSnapshot | null> {
  const { client } = reading;
  const place = `/repos/${repo}/pulls/${number}`;
  const pull = await getOne(client, place, gitea.Pull);
  if (pull === null) return null;
  const issue = `/repos/${repo}/issues/${number}`;
  const timeline = await listAll(client, `${issue}/timeline`, gitea.TimelineEvent);
  const isOpen = pull.state === 'open';
  const closed = timeline.findLast(({ type }) => type === 'close' || type === 'merge_pull');
  const ended = pull.merged_by ?? closed?.user ?? null;
  return {
    number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body,
    author: accountFrom(pull.user),
    state: stateOf(pull),
    isDraft: pull.draft ?? false,
    branch: pull.head.ref,
    isSameRepository: pull.head.repo?.full_name === pull.base.repo?.full_name,
    head: pull.head.sha,
    base: pull.base.ref,
    baseCommit: pull.merge_base ?? null,
    isMergeable: pull.mergeable === true ? true : null,
    endedBy: isOpen || !ended ? null : accountFrom(ended),
    labels: setLabels(
      (pull.labels ?? []).map(({ name }) => name),
      timeline,
    ),
    comments: await readComments(client, issue, seen.comment),
    reviews: isOpen ? await readReviews(client, place, seen.review) : [],
    requestedReviewers: (pull.requested_reviewers ?? []).map(accountFrom),
    checks: isOpen ? await readChecks(reading, repo, pull.head.sha) : [],
  };
}

function stateOf({ state, merged }: z.output<typeof gitea.Pull>): PullSnapshot['state'] {
  if (state === 'open') return 'open';
  return merged ? 'merged' : 'closed';
}

/** A review that was dismissed later keeps its id, so all are read and only new or dismissed ones count. */
async function readReviews(client: ForgeClient, place: string, after: number) {
  const reviews = await listAll(client, `${place}/reviews`, gitea.Review);
  const fresh = reviews.filter(
    ({ id, state }) => id > after && state !== 'PENDING' && state !== 'REQUEST_REVIEW',
  );
  const found: ForgeReview[] = [];
  for (const review of fresh) {
    const comments = await listAll(
      client,
      `${place}/reviews/${review.id}/comments`,
      gitea.ReviewComment,
    );
    found.push(reviewFrom(review, comments));
  }
  return found;
}

/** The newest status of each context; Actions writes statuses as well as an outside CI does. */
export async function readChecks(
  { client, own }: Reading,
  repo: string,
  commit: string,
): Promise<readonly ForgeCheck[]> {
  const combined = await getOne(client, statusPath(repo, commit), gitea.CombinedStatus);
  const hall = await own();
  const statuses = (combined?.statuses ?? []).filter(({ creator }) => creator?.id !== hall);
  const newest = new Map<string, ForgeCheck>();
  for (const status of statuses.toSorted((a, b) => a.id - b.id))
    newest.set(status.context, checkFrom(status));
  return [...newest.values()];
}

/** All statuses of a commit, of Actions and of others. */
export function statusPath(repo: string, commit: string): string {
  return `/repos/${repo}/commits/${commit}/status?limit=50`;
}
