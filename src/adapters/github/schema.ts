import { z } from 'zod';

/* What GitHub answers, as far as the hall reads it. */

export const User = z.object({ id: z.number(), login: z.string(), type: z.string() });

/** GitHub shows the account of a deleted person as null. */
const Author = User.nullable();

const Label = z.object({ name: z.string() });

export const Issue = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  user: Author,
  state: z.enum(['open', 'closed']),
  updated_at: z.string(),
  labels: z.array(Label),
  assignees: z.array(User).nullish(),
  pull_request: z.object({}).optional(),
});

export const Comment = z.object({
  id: z.number(),
  user: Author,
  body: z.string().nullish(),
  created_at: z.string(),
  html_url: z.string(),
});

/** Events of other kinds have other fields. */
export const TimelineEvent = z.object({
  id: z.number().optional(),
  event: z.string().optional(),
  actor: Author.optional(),
  label: Label.optional(),
  assignee: Author.optional(),
  created_at: z.string().optional(),
});

export const Pull = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  user: Author,
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  merged_by: Author.optional(),
  merge_commit_sha: z.string().nullish(),
  draft: z.boolean().optional(),
  mergeable: z.boolean().nullish(),
  labels: z.array(Label),
  requested_reviewers: z.array(User).nullish(),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ full_name: z.string() }).nullable(),
  }),
  base: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ full_name: z.string(), default_branch: z.string() }),
  }),
});

export const Review = z.object({
  id: z.number(),
  user: Author,
  state: z.string(),
  body: z.string().nullable(),
  commit_id: z.string().nullable(),
  submitted_at: z.string().optional(),
});

export const ReviewComment = z.object({
  pull_request_review_id: z.number().nullable(),
  path: z.string(),
  line: z.number().nullish(),
  body: z.string(),
});

export const CheckRuns = z.object({
  check_runs: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      html_url: z.string().nullable(),
      started_at: z.string().nullable(),
      completed_at: z.string().nullable(),
      app: z.object({ id: z.number() }).nullable(),
      output: z.object({ summary: z.string().nullable(), text: z.string().nullable() }),
    }),
  ),
});

export const Status = z.object({
  id: z.number(),
  context: z.string(),
  state: z.string(),
  target_url: z.string().nullable(),
  updated_at: z.string(),
  description: z.string().nullable(),
  creator: Author.optional(),
});

export const Created = z.object({ number: z.number(), html_url: z.string() });
export const CreatedComment = z.object({ id: z.number() });
export const Merge = z.object({ sha: z.string(), merged: z.boolean() });
export const PermissionLevel = z.object({ permission: z.string() });
export const Repository = z.object({ default_branch: z.string(), clone_url: z.string() });
export const App = z.object({
  id: z.number(),
  slug: z.string().optional(),
  events: z.array(z.string()).optional(),
});
export const Membership = z.object({ state: z.string() });
export const HookConfig = z.object({ url: z.string().optional() });
export const Hook = z.object({
  id: z.number(),
  active: z.boolean(),
  events: z.array(z.string()),
  config: HookConfig,
});
export const WholeLabel = z.object({
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
});
export const Installation = z.object({ id: z.number() });
export const InstallationToken = z.object({ token: z.string(), expires_at: z.string() });
export const Commit = z.object({ commit: z.object({ tree: z.object({ sha: z.string() }) }) });
export const Branch = z.object({
  protection: z
    .object({
      required_status_checks: z.object({ contexts: z.array(z.string()).optional() }).optional(),
    })
    .optional(),
});
