import type { ChangedFile } from '../git/read-commits.ts';
import { isoTime, isoTimeOrNull, type Urls } from '../http/answer.ts';
import { commentsOf } from '../state/comments.ts';
import type { Account, PullIssue, Review, ReviewComment, ReviewState } from '../state/model.ts';
import { showUser, showUserOrNull } from './show-accounts.ts';
import { issuePage, showLabels } from './show-issues.ts';
import { pageUrl, repositoryUrl, showRepository } from './show-repositories.ts';

/** Not mergeable also while that is still being found out. */
export function showPull(issue: PullIssue, urls: Urls) {
  const { pull, number } = issue;
  const { merged, size } = pull;
  const page = issuePage(issue, urls);
  const comments = pull.reviewComments.length;
  return {
    ...{ id: pull.id, url: page, number, user: showUser(issue.author, urls) },
    ...{ title: issue.title, body: issue.body, labels: showLabels(issue, urls), milestone: null },
    assignee: showUserOrNull(issue.assignees[0] ?? null, urls),
    assignees: issue.assignees.map((account) => showUser(account, urls)),
    requested_reviewers: pull.requestedReviewers.map((account) => showUser(account, urls)),
    requested_reviewers_teams: [],
    state: issue.isOpen ? 'open' : 'closed',
    ...{ draft: pull.isDraft, is_locked: false, comments: commentsOf(issue).length },
    ...(comments === 0 ? {} : { review_comments: comments }),
    ...{ additions: size.additions, deletions: size.deletions, changed_files: size.files },
    ...{ html_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch` },
    mergeable: pull.mergeability === 'clean' && !pull.isDraft,
    merged: merged !== null,
    merged_at: isoTimeOrNull(merged?.at ?? null),
    merge_commit_sha: merged?.sha ?? null,
    merged_by: showUserOrNull(merged?.by ?? null, urls),
    allow_maintainer_edit: true,
    ...{ base: showBase(issue, urls), head: showHead(issue, urls), merge_base: pull.mergeBase },
    due_date: null,
    created_at: isoTime(issue.createdAt),
    updated_at: isoTime(issue.updatedAt),
    closed_at: isoTimeOrNull(issue.closedAt),
    ...{ pin_order: 0, content_version: issue.edits },
  };
}

function showBase({ pull, repository }: PullIssue, urls: Urls) {
  const { baseBranch: ref, baseSha: sha } = pull;
  return { label: ref, ref, sha, repo_id: repository.id, repo: showRepository(repository, urls) };
}

/** A branch that is gone is shown by the ref that the forge keeps. */
function showHead({ pull, number }: PullIssue, urls: Urls) {
  const { headRepository, headBranch, headSha: sha } = pull;
  const isThere = headRepository.branches.has(headBranch);
  return {
    label: headBranch,
    ref: isThere ? headBranch : `refs/pull/${number}/head`,
    sha,
    repo_id: headRepository.id,
    repo: showRepository(headRepository, urls),
  };
}

const STATES: Readonly<Record<ReviewState, string>> = {
  approved: 'APPROVED',
  changes_requested: 'REQUEST_CHANGES',
  commented: 'COMMENT',
  pending: 'PENDING',
};

export function showReview(issue: PullIssue, review: Review, urls: Urls) {
  const { pull } = issue;
  const at = isoTime(review.submittedAt);
  const comments = pull.reviewComments.filter((comment) => comment.review === review);
  return {
    id: review.id,
    user: showUser(review.author, urls),
    team: null,
    state: STATES[review.state],
    body: review.body,
    commit_id: review.commit,
    stale: review.commit !== pull.headSha,
    official: review.isOfficial,
    dismissed: review.isDismissed,
    comments_count: comments.length,
    submitted_at: at,
    updated_at: at,
    html_url: `${issuePage(issue, urls)}#issuecomment-${review.commentId}`,
    pull_request_url: issuePage(issue, urls),
  };
}

/** Somebody was asked for a review: among the reviews this is one, of no commit. */
export function showRequest(issue: PullIssue, reviewer: Account, urls: Urls) {
  const { id, at } = issue.pull.reviewRequests.get(reviewer) ?? { id: 0, at: 0 };
  return {
    ...{ id, user: showUser(reviewer, urls), team: null, state: 'REQUEST_REVIEW', body: '' },
    ...{ commit_id: '', stale: false, official: true, dismissed: false, comments_count: 0 },
    ...{ submitted_at: isoTime(at), updated_at: isoTime(at), html_url: '' },
    pull_request_url: issuePage(issue, urls),
  };
}

export function showReviewComment(issue: PullIssue, comment: ReviewComment, urls: Urls) {
  const at = isoTime(comment.createdAt);
  return {
    id: comment.id,
    body: comment.body,
    user: showUser(comment.author, urls),
    resolver: null,
    pull_request_review_id: comment.review.id,
    created_at: at,
    updated_at: at,
    path: comment.path,
    commit_id: comment.commit,
    original_commit_id: comment.commit,
    diff_hunk: '@@',
    position: comment.line ?? 0,
    original_position: 0,
    html_url: `${issuePage(issue, urls)}#issuecomment-${comment.id}`,
    pull_request_url: issuePage(issue, urls),
  };
}

const STATUS = { added: 'added', removed: 'deleted', modified: 'changed' } as const;

export function showFile(
  { path, status, additions, deletions }: ChangedFile,
  { repository, pull }: PullIssue,
  urls: Urls,
) {
  const page = pageUrl(repository, urls);
  return {
    filename: path,
    status: STATUS[status],
    ...{ additions, deletions, changes: additions + deletions },
    html_url: `${page}/src/commit/${pull.headSha}/${path}`,
    contents_url: `${repositoryUrl(repository, urls)}/contents/${path}?ref=${pull.headSha}`,
    raw_url: `${page}/raw/commit/${pull.headSha}/${path}`,
  };
}
