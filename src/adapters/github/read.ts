import type { z } from 'zod';
import type {
  Account,
  ForgeCheck,
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
  statusFrom,
} from './convert.ts';
import * as github from './schema.ts';

export interface Reading {
  readonly client: ForgeClient;
  /** The hall's own. Checks and statuses that it wrote itself do not count. */
  readonly account: () => Promise<Account>;
  /** Null where the hall is not an App. */
  readonly appId: number | null;
}

/** One item, or null when it does not exist. */
export async function getOne<S extends z.ZodType>(
  client: ForgeClient,
  path: string,
  schema: S,
): Promise<z.output<S> | null> {
  const { status, body } = await client.call({ method: 'GET', path });
  if (status === 404 || status === 410 || status === 301) return null;
  if (status !== 200)
    throw new ForgeFailed(`GET ${path} was answered with ${status}`, { retry: 'later' });
  return parsed(schema, body, path);
}

export async function listAll<S extends z.ZodType>(
  client: ForgeClient,
  path: string,
  schema: S,
): Promise<readonly z.output<S>[]> {
  const pages = { path, perPage: 100, perPageName: 'per_page', maxPages: 100 } as const;
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
    ...(labels.length > 0 && { labels: labels.join(',') }),
  });
  const path = `/repos/${repo}/issues?${query}`;
  const items = await allItems(client, {
    path,
    perPage: 100,
    perPageName: 'per_page',
    maxPages: 10,
  });
  if (items === null) throw new ForgeFailed(`there is no repository ${repo}`, { retry: 'later' });
  const issues = items
    .map((item) => parsed(github.Issue, item, path))
    .filter((issue) => !issue.pull_request && hasAll(issue, labels))
    .map(({ number, title }) => ({ number, title }));
  return { issues, isComplete: items.length < MAX_ISSUES };
}

const MAX_ISSUES = 1_000;

/** Asked for a label that the repository lacks, GitHub answers with none. */
function hasAll(issue: z.output<typeof github.Issue>, wanted: readonly string[]): boolean {
  const names = (issue.labels ?? []).map(({ name }) => name.toLowerCase());
  return wanted.every((label) => names.includes(label.toLowerCase()));
}

export async function look(reading: Reading, target: LookTarget): Promise<ForgeSnapshot | null> {
  const { client } = reading;
  const { repo, number } = target;
  const item = await getOne(client, `/repos/${repo}/issues/${number}`, github.Issue);
  if (item === null) return null;
  if (item.pull_request) {
    return { issue: null, pull: await readPull(reading, { repo, number, seen: target.seen }) };
  }
  const issue = await readIssue(client, target, item);
  const pullNumber = await findPull(client, target);
  const place =
    pullNumber === null ? null : { repo: target.pull?.repo ?? repo, number: pullNumber };
  return { issue, pull: place && (await readPull(reading, { ...place, seen: target.seen })) };
}

async function findPull(client: ForgeClient, { pull }: LookTarget): Promise<number | null> {
  if (!pull) return null;
  if (pull.number !== null) return pull.number;
  const [owner] = pull.repo.split('/');
  const query = new URLSearchParams({ head: `${owner}:${pull.branch}`, state: 'all' });
  const pulls = await listAll(client, `/repos/${pull.repo}/pulls?${query}`, github.Created);
  return pulls.at(-1)?.number ?? null;
}

async function readIssue(
  client: ForgeClient,
  { repo, number, seen }: LookTarget,
  item: z.output<typeof github.Issue>,
): Promise<IssueSnapshot> {
  const place = `/repos/${repo}/issues/${number}`;
  const timeline = await listAll(client, `${place}/events`, github.TimelineEvent);
  return {
    number,
    url: item.html_url,
    title: item.title,
    body: item.body ?? '',
    author: accountFrom(item.user),
    isOpen: item.state === 'open',
    updatedAt: instantIn(item.updated_at),
    labels: setLabels(
      item.labels.map(({ name }) => name),
      timeline,
    ),
    assignees: setAssignees(item.assignees ?? [], timeline),
    comments: await readComments(client, place, seen.comment),
  };
}

async function readComments(client: ForgeClient, place: string, after: number) {
  const comments = await listAll(client, `${place}/comments`, github.Comment);
  return comments.filter(({ id }) => id > after).map(commentFrom);
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
  const pull = await getOne(client, place, github.Pull);
  if (pull === null) return null;
  const timeline = await listAll(
    client,
    `/repos/${repo}/issues/${number}/events`,
    github.TimelineEvent,
  );
  const isOpen = pull.state === 'open';
  const closed = timeline.findLast(({ event }) => event === 'closed' || event === 'merged');
  const ended = pull.merged_by ?? closed?.actor ?? null;
  return {
    number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? '',
    author: accountFrom(pull.user),
    state: stateOf(pull),
    isDraft: pull.draft ?? false,
    branch: pull.head.ref,
    isSameRepository: pull.head.repo?.full_name === pull.base.repo.full_name,
    head: pull.head.sha,
    base: pull.base.ref,
    baseCommit: pull.base.sha,
    isMergeable: pull.mergeable ?? null,
    endedBy: isOpen || !ended ? null : accountFrom(ended),
    labels: setLabels(
      pull.labels.map(({ name }) => name),
      timeline,
    ),
    comments: await readComments(client, `/repos/${repo}/issues/${number}`, seen.comment),
    reviews: isOpen ? await readReviews(client, place, seen.review) : [],
    requestedReviewers: (pull.requested_reviewers ?? []).map(accountFrom),
    checks: isOpen ? await readChecks(reading, repo, pull.head.sha) : [],
  };
}

function stateOf({
  state,
  merged_at: mergedAt,
}: z.output<typeof github.Pull>): PullSnapshot['state'] {
  if (state === 'open') return 'open';
  return mergedAt ? 'merged' : 'closed';
}

async function readReviews(client: ForgeClient, place: string, after: number) {
  const reviews = await listAll(client, `${place}/reviews`, github.Review);
  const fresh = reviews.filter(({ id, state }) => id > after && state !== 'PENDING');
  if (fresh.length === 0) return [];
  const comments = await listAll(client, `${place}/comments`, github.ReviewComment);
  return fresh.map((review) => reviewFrom(review, comments));
}

/** Check runs and commit statuses together, the newest of each name. */
export async function readChecks(
  { client, account, appId }: Reading,
  repo: string,
  commit: string,
): Promise<readonly ForgeCheck[]> {
  const [runsPath, statusesPath] = checkLists(repo, commit);
  const runs = await getOne(client, runsPath, github.CheckRuns);
  const statuses = await listAll(client, statusesPath, github.Status);
  const own = (await account()).id;
  const checks = [
    ...(runs?.check_runs ?? [])
      .filter(({ app }) => appId === null || app?.id !== appId)
      .map(checkFrom),
    ...statuses
      .toSorted((a, b) => a.id - b.id)
      .filter(({ creator }) => creator?.id !== own)
      .map(statusFrom),
  ];
  const newest = new Map<string, ForgeCheck>();
  for (const check of checks.toSorted((a, b) => a.at - b.at)) newest.set(check.name, check);
  return [...newest.values()];
}

/** Check runs and commit statuses are two lists. The combined status does not say who wrote one. */
export function checkLists(
  repo: string,
  commit: string,
): readonly [runs: string, statuses: string] {
  const place = `/repos/${repo}/commits/${commit}`;
  return [`${place}/check-runs?per_page=100&filter=latest`, `${place}/statuses`];
}
