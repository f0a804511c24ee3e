import { isoTime, isoTimeOrNull, type Urls } from '../http/answer.ts';
import { commentsOf } from '../state/comments.ts';
import type { Comment, Issue, Label, Repository, TimelineEntry } from '../state/model.ts';
import { fullNameOf } from '../state/world.ts';
import { showUser, showUserOrNull } from './show-accounts.ts';
import { pageUrl, repositoryUrl } from './show-repositories.ts';

export function showLabel(label: Label, repository: Repository, urls: Urls) {
  const { id, name, color, description } = label;
  const url = `${repositoryUrl(repository, urls)}/labels/${id}`;
  return { id, name, exclusive: false, is_archived: false, color, description, url };
}

/** By name, whatever the order in which they were set. */
export function showLabels({ labels, repository }: Issue, urls: Urls) {
  return labels.toSorted(compareLabels).map((label) => showLabel(label, repository, urls));
}

export function compareLabels(a: Label, b: Label): number {
  if (a.name === b.name) return a.id - b.id;
  return a.name < b.name ? -1 : 1;
}

export function issuePage({ repository, number, pull }: Issue, urls: Urls): string {
  return `${pageUrl(repository, urls)}/${pull ? 'pulls' : 'issues'}/${number}`;
}

export function showIssue(issue: Issue, urls: Urls) {
  const { repository, number, pull } = issue;
  const { id, name, owner } = repository;
  const assignees = issue.assignees.map((account) => showUser(account, urls));
  return {
    ...{ id: issue.id, url: `${repositoryUrl(repository, urls)}/issues/${number}` },
    ...{ html_url: issuePage(issue, urls), number, user: showUser(issue.author, urls) },
    ...{ original_author: '', original_author_id: 0, title: issue.title, body: issue.body },
    ...{ ref: '', assets: [], labels: showLabels(issue, urls), milestone: null },
    assignee: assignees[0] ?? null,
    assignees: assignees.length === 0 ? null : assignees,
    state: issue.isOpen ? 'open' : 'closed',
    is_locked: false,
    comments: commentsOf(issue).length,
    created_at: isoTime(issue.createdAt),
    updated_at: isoTime(issue.updatedAt),
    closed_at: isoTimeOrNull(issue.closedAt),
    ...{ due_date: null, time_estimate: 0 },
    pull_request: pull && {
      merged: pull.merged !== null,
      merged_at: isoTimeOrNull(pull.merged?.at ?? null),
      draft: pull.isDraft,
      html_url: issuePage(issue, urls),
    },
    repository: { id, name, owner: owner.login, full_name: fullNameOf(repository) },
    pin_order: 0,
    content_version: issue.edits,
  };
}

export function showComment({ id, issue, author, body, ...times }: Comment, urls: Urls) {
  return {
    ...placesOf(issue, id, urls),
    user: showUser(author, urls),
    original_author: '',
    original_author_id: 0,
    body,
    assets: [],
    created_at: isoTime(times.createdAt),
    updated_at: isoTime(times.updatedAt),
  };
}

/** Exactly one of the two addresses is given. */
function placesOf(issue: Issue, id: number, urls: Urls) {
  const page = issuePage(issue, urls);
  return {
    id,
    html_url: `${page}#issuecomment-${id}`,
    pull_request_url: issue.pull ? page : '',
    issue_url: issue.pull ? '' : page,
  };
}

const TYPES: Readonly<Record<TimelineEntry['is'], string>> = {
  labeled: 'label',
  unlabeled: 'label',
  assigned: 'assignees',
  unassigned: 'assignees',
  review_requested: 'review_request',
  review_request_removed: 'review_request',
  renamed: 'change_title',
  closed: 'close',
  reopened: 'reopen',
  head_ref_deleted: 'delete_branch',
  merged: 'merge_pull',
  commented: 'comment',
  reviewed: 'review',
};

/** A label that was added has the body `1`; one that was removed has none. */
export function showTimelineEntry(issue: Issue, entry: TimelineEntry, urls: Urls) {
  const { repository } = issue;
  const isLabel = entry.is === 'labeled' || entry.is === 'unlabeled';
  return {
    ...placesOf(issue, entry.id, urls),
    type: TYPES[entry.is],
    user: showUser(entry.actor, urls),
    body: bodyOf(entry),
    created_at: isoTime(entry.at),
    updated_at: isoTime(entry.is === 'commented' ? entry.comment.updatedAt : entry.at),
    ...{ old_project_id: 0, project_id: 0, old_milestone: null, milestone: null },
    ...{ tracked_time: null, old_ref: '', new_ref: '', ref_issue: null, ref_comment: null },
    old_title: entry.is === 'renamed' ? entry.from : '',
    new_title: entry.is === 'renamed' ? entry.to : '',
    ref_action: 'none',
    ref_commit_sha: entry.is === 'merged' ? entry.sha : '',
    review_id: entry.is === 'reviewed' ? entry.review.id : 0,
    label: isLabel ? showLabel(entry.label, repository, urls) : null,
    assignee: showUserOrNull(assigneeOf(entry), urls),
    assignee_team: null,
    removed_assignee: entry.is === 'unassigned' || entry.is === 'review_request_removed',
    ...{ resolve_doer: null, dependent_issue: null },
  };
}

function bodyOf(entry: TimelineEntry): string {
  switch (entry.is) {
    case 'labeled':
      return '1';
    case 'commented':
      return entry.comment.body;
    case 'reviewed':
      return entry.review.body;
    default:
      return '';
  }
}

function assigneeOf(entry: TimelineEntry) {
  if (entry.is === 'assigned' || entry.is === 'unassigned') return entry.assignee;
  const isRequest = entry.is === 'review_requested' || entry.is === 'review_request_removed';
  return isRequest ? entry.reviewer : null;
}
