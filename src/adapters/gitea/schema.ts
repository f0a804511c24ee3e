import { z } from 'zod';

/* What Gitea and Forgejo answer, as far as the hall reads it. */

export const User = z.object({ id: z.number(), login: z.string() });

/** The account of a deleted person is null, or one with a negative id. */
const Author = User.nullish();

export const Label = z.object({ id: z.number(), name: z.string() });

export const WholeLabel = Label.extend({ color: z.string(), description: z.string().nullish() });

export const Hook = z.object({
  id: z.number(),
  active: z.boolean(),
  events: z
    .array(z.string())
    .nullish()
    .transform((events) => events ?? []),
  config: z.object({ url: z.string().optional() }),
});

export const Issue = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string(),
  user: Author,
  state: z.string(),
  updated_at: z.string(),
  labels: z.array(Label).nullish(),
  assignees: z.array(User).nullish(),
  pull_request: z.object({}).nullish(),
});

export const Comment = z.object({
  id: z.number(),
  user: Author,
  body: z.string(),
  created_at: z.string(),
  html_url: z.string(),
});

/** Events of other kinds have other fields. */
export const TimelineEvent = z.object({
  id: z.number(),
  type: z.string(),
  user: Author,
  /** Of a label event: `1` when it was added, empty when it was removed. */
  body: z.string().nullish(),
  label: Label.nullish(),
  assignee: Author,
  removed_assignee: z.boolean().nullish(),
  created_at: z.string(),
});

const Branch = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ full_name: z.string(), default_branch: z.string() }).nullable(),
});

export const Pull = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string(),
  user: Author,
  state: z.string(),
  merged: z.boolean(),
  merged_by: Author,
  merge_commit_sha: z.string().nullish(),
  draft: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
  labels: z.array(Label).nullish(),
  requested_reviewers: z.array(User).nullish(),
  merge_base: z.string().nullish(),
  head: Branch,
  base: Branch,
});

export const Review = z.object({
  id: z.number(),
  user: Author,
  state: z.string(),
  body: z.string(),
  commit_id: z.string(),
  dismissed: z.boolean().nullish(),
  submitted_at: z.string(),
});

export const ReviewComment = z.object({
  path: z.string(),
  position: z.number().nullish(),
  body: z.string(),
});

const Status = z.object({
  id: z.number(),
  status: z.string(),
  context: z.string(),
  target_url: z.string().nullish(),
  creator: Author,
  updated_at: z.string(),
});

export const CombinedStatus = z.object({ statuses: z.array(Status).nullish() });

export const Place = z.object({ number: z.number(), html_url: z.string() });
export const CreatedComment = z.object({ id: z.number() });
export const PermissionLevel = z.object({ permission: z.string() });
export const Repository = z.object({ default_branch: z.string() });
export const Team = z.object({ id: z.number(), name: z.string() });
export const Commit = z.object({ commit: z.object({ tree: z.object({ sha: z.string() }) }) });
export const ProtectedBranch = z.object({
  enable_status_check: z.boolean().optional(),
  status_check_contexts: z.array(z.string()).nullish(),
});
