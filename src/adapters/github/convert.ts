import type { z } from 'zod';
import type {
  Account,
  Comment,
  ForgeCheck,
  ForgeReview,
  SetAssignee,
  SetLabel,
} from '../../domain/forge/snapshot.ts';
import { instantIn } from '../forge/parse.ts';
import type * as github from './schema.ts';

/** A deleted account has no rights, so it needs no name. */
const GHOST: Account = { id: 0, login: 'ghost', isBot: false };

export function accountFrom(user: z.output<typeof github.User> | null | undefined): Account {
  if (!user) return GHOST;
  return { id: user.id, login: user.login, isBot: user.type !== 'User' };
}

export function commentFrom(comment: z.output<typeof github.Comment>): Comment {
  const { id, user, body, created_at, html_url: url } = comment;
  return { id, author: accountFrom(user), body: body ?? '', at: instantIn(created_at), url };
}

type TimelineEvent = z.output<typeof github.TimelineEvent>;

/** The present labels, each with the last event that set it. */
export function setLabels(
  names: readonly string[],
  timeline: readonly TimelineEvent[],
): readonly SetLabel[] {
  return names.map((name) => {
    const set = timeline.findLast(
      ({ event, label }) => event === 'labeled' && label?.name === name,
    );
    const by = set?.actor ? accountFrom(set.actor) : null;
    return { name, by, at: instantIn(set?.created_at), event: `label-${set?.id ?? name}` };
  });
}

export function setAssignees(
  users: readonly z.output<typeof github.User>[],
  timeline: readonly TimelineEvent[],
): readonly SetAssignee[] {
  return users.map((user) => {
    const set = timeline.findLast(
      ({ event, assignee }) => event === 'assigned' && assignee?.id === user.id,
    );
    const by = set?.actor ? accountFrom(set.actor) : null;
    const event = `assigned-${set?.id ?? user.id}`;
    return { account: accountFrom(user), by, at: instantIn(set?.created_at), event };
  });
}

const VERDICTS: Readonly<Record<string, ForgeReview['is']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  DISMISSED: 'dismissed',
};

export function reviewFrom(
  review: z.output<typeof github.Review>,
  comments: readonly z.output<typeof github.ReviewComment>[],
): ForgeReview {
  return {
    id: review.id,
    author: accountFrom(review.user),
    is: VERDICTS[review.state] ?? 'commented',
    commit: review.commit_id ?? '',
    body: review.body ?? '',
    comments: comments
      .filter(({ pull_request_review_id: id }) => id === review.id)
      .map(({ path, line, body }) => ({ path, line: line ?? null, body })),
    at: instantIn(review.submitted_at),
  };
}

/** Cancelled, skipped, neutral, stale and waiting for approval are not failures of the change. */
const RED = ['failure', 'timed_out', 'startup_failure'];

function resultFrom(conclusion: string): ForgeCheck['is'] {
  if (RED.includes(conclusion)) return 'red';
  return conclusion === 'success' ? 'green' : 'ignored';
}

type CheckRun = z.output<typeof github.CheckRuns>['check_runs'][number];

export function checkFrom(run: CheckRun): ForgeCheck {
  const { id, name, conclusion, html_url: url, started_at, completed_at } = run;
  const at = instantIn(completed_at ?? started_at);
  const is = conclusion === null ? 'pending' : resultFrom(conclusion);
  return { name, is, url, at, rerun: `check-run ${id}` };
}

type Status = z.output<typeof github.Status>;

const STATES: Readonly<Record<string, ForgeCheck['is']>> = { success: 'green', pending: 'pending' };

export function statusFrom({ context, state, target_url: url, updated_at }: Status): ForgeCheck {
  const is = STATES[state] ?? 'red';
  return { name: context, is, url, at: instantIn(updated_at), rerun: null };
}
