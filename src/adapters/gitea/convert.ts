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
import type * as gitea from './schema.ts';

/** Gitea says of no account that it is a bot, but its own ones, such as Actions, have negative ids. */
export function accountFrom(user: z.output<typeof gitea.User> | null | undefined): Account {
  if (!user) return { id: 0, login: 'ghost', isBot: true };
  return { id: user.id, login: user.login, isBot: user.id <= 0 };
}

export function commentFrom(comment: z.output<typeof gitea.Comment>): Comment {
  const { id, user, body, created_at, html_url: url } = comment;
  return { id, author: accountFrom(user), body, at: instantIn(created_at), url };
}

type TimelineEvent = z.output<typeof gitea.TimelineEvent>;

/** The present labels, each with the last event that set it; a name that exists twice counts once. */
export function setLabels(
  names: readonly string[],
  timeline: readonly TimelineEvent[],
): readonly SetLabel[] {
  return [...new Set(names)].map((name) => {
    const set = timeline.findLast(
      ({ type, label, body }) => type === 'label' && body === '1' && label?.name === name,
    );
    const by = set?.user ? accountFrom(set.user) : null;
    return { name, by, at: instantIn(set?.created_at), event: `label-${set?.id ?? name}` };
  });
}

export function setAssignees(
  users: readonly z.output<typeof gitea.User>[],
  timeline: readonly TimelineEvent[],
): readonly SetAssignee[] {
  return users.map((user) => {
    const set = timeline.findLast(
      ({ type, assignee, removed_assignee: isRemoved }) =>
        type === 'assignees' && assignee?.id === user.id && !isRemoved,
    );
    const by = set?.user ? accountFrom(set.user) : null;
    const event = `assigned-${set?.id ?? user.id}`;
    return { account: accountFrom(user), by, at: instantIn(set?.created_at), event };
  });
}

const VERDICTS: Readonly<Record<string, ForgeReview['is']>> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changes_requested',
};

export function reviewFrom(
  review: z.output<typeof gitea.Review>,
  comments: readonly z.output<typeof gitea.ReviewComment>[],
): ForgeReview {
  const { id, user, state, body, commit_id: commit, dismissed, submitted_at } = review;
  return {
    id,
    author: accountFrom(user),
    is: dismissed ? 'dismissed' : (VERDICTS[state] ?? 'commented'),
    commit,
    body,
    comments: comments.map(({ path, position, body: text }) => ({
      path,
      line: position ?? null,
      body: text,
    })),
    at: instantIn(submitted_at),
  };
}

type Status = NonNullable<z.output<typeof gitea.CombinedStatus>['statuses']>[number];

const STATES: Readonly<Record<string, ForgeCheck['is']>> = {
  pending: 'pending',
  success: 'green',
  failure: 'red',
  error: 'red',
  warning: 'green',
  skipped: 'ignored',
};

export function checkFrom({ context, status, target_url: url, updated_at }: Status): ForgeCheck {
  const [, run] = /\/actions\/runs\/(\d+)/.exec(url ?? '') ?? [];
  const [, job] = /\/jobs\/(\d+)/.exec(url ?? '') ?? [];
  const rerun = run === undefined ? null : `run ${run} job ${job ?? ''}`.trim();
  const is = STATES[status] ?? 'ignored';
  return { name: context, is, url: url ?? null, at: instantIn(updated_at), rerun };
}
