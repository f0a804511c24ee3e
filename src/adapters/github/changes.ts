import type { z } from 'zod';
import type { Instant } from '../../domain/ids.ts';
import type { ForgeChanges } from '../../ports/forge.ts';
import { changesFrom, hasLabelOfHall } from '../forge/changes.ts';
import type { ForgeClient } from '../forge/client.ts';
import { mustAnswer } from '../forge/must-answer.ts';
import { instantIn, parsed } from '../forge/parse.ts';
import { listAll } from './read.ts';
import * as github from './schema.ts';

type Issue = z.output<typeof github.Issue>;

export async function changedSince(
  client: ForgeClient,
  repo: string,
  since: Instant | null,
): Promise<ForgeChanges> {
  if (since !== null) return changesFrom(await updatedSince(client, repo, since), () => true);
  const path = `/repos/${repo}/issues?state=open&sort=created&direction=asc`;
  const open = await listAll(client, path, github.Issue);
  return changesFrom(open, ({ labels }) => hasLabelOfHall(labels));
}

/** Of a repository that was renamed or deleted, or that the hall may not see. */
const GONE = [301, 307, 404, 410];

const PER_PAGE = 100;
const MAX_PAGES = 100;
const SECOND = 1_000;

/**
 * Oldest change first. An issue that changes while this reads moves to the end, and what is behind it moves to
 * an earlier page; so each page begins where the last one ended, and is no page of a list that shifts.
 */
async function updatedSince(
  client: ForgeClient,
  repo: string,
  since: Instant,
): Promise<readonly Issue[]> {
  const found = new Map<number, Issue>();
  let from = since;
  let page = 1;
  for (let n = 0; n < MAX_PAGES; n += 1) {
    const order = { state: 'all', sort: 'updated', direction: 'asc', per_page: String(PER_PAGE) };
    const start = { since: new Date(from).toISOString(), page: String(page) };
    const path = `/repos/${repo}/issues?${new URLSearchParams({ ...order, ...start })}`;
    const { status, body } = await mustAnswer(client, { method: 'GET', path }, 200, ...GONE);
    if (GONE.includes(status)) break;
    const issues = parsed(github.Issue.array(), body, path);
    for (const issue of issues) found.set(issue.number, issue);
    if (issues.length < PER_PAGE) break;
    const last = instantIn(issues.at(-1)?.updated_at) - SECOND;
    page = last > from ? 1 : page + 1;
    from = Math.max(from, last);
  }
  return [...found.values()];
}
